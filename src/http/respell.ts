import { BillingError } from '../errors.ts';

/**
 * A use case's fact in the caller's spelling: `promise.catch(respell({ idempotency_key: 'idempotencyKey' }))`. Use cases know one
 * name for a parameter; REST and GraphQL may have promised others.
 */
export function respell(names: Readonly<Record<string, string>>) {
  return (error: unknown): never => {
    const name = error instanceof BillingError ? names[error.param ?? ''] : undefined;
    if (!(error instanceof BillingError) || name === undefined) throw error;
    const message = error.message.replaceAll(error.param ?? '', name);
    throw new BillingError(error.code, message, name, { cause: error });
  };
}
