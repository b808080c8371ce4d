import type { BillingErrorCode } from '../../errors.ts';
import type { PublicError } from '../errors/error-response.ts';
import type { CheckoutErrorData, CheckoutProblem } from './page-data.ts';

const PROBLEMS: Readonly<Partial<Record<BillingErrorCode | 'internal_error', CheckoutProblem>>> = {
  not_found: 'NO_CHECKOUT',
  rate_limit_exceeded: 'TOO_MANY_REQUESTS',
};

/** What is shown for an error instead of a checkout or a payment link, whose path is `path`. */
export function checkoutErrorOf({ code }: PublicError, path: string): CheckoutErrorData {
  const isLink = path.startsWith('/pay/') && code === 'not_found';
  return {
    problem: isLink ? 'NO_LINK' : (PROBLEMS[code] ?? 'INTERNAL'),
    retryPath: code === 'not_found' ? null : path,
  };
}
