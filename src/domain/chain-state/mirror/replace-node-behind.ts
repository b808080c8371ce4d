import { NodeBehind } from '../../../chain/rpc/as-of.ts';
import { BillingError } from '../../../errors.ts';

/** Replaces NodeBehind by an error that asks the caller to repeat the request a little later. */
export function replaceNodeBehind(cause: unknown, param: string): unknown {
  if (!(cause instanceof NodeBehind)) return cause;
  return new BillingError(
    'invalid_request',
    'The network cannot be read yet: try again in a moment.',
    param,
    { cause },
  );
}
