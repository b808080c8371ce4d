import type { AppContext } from '../../../app.ts';
import { BillingError } from '../../../errors.ts';
import { NotSeenYet } from '../proof/not-seen-yet.ts';
import { type CompleteCheckoutInput, type CompletedCheckout, completeCheckout } from './complete-checkout.ts';

/** The state of a checkout whose customer has approved. */
export type ApprovedCheckout = CompletedCheckout | { readonly status: 'CONFIRMING' };

/**
 * Completes a session like `completeCheckout`, for the checkout page. The page asks until the
 * network has confirmed the transaction, so a transaction that was not seen yet is a result, not an
 * error.
 *
 * @throws BillingError as `completeCheckout`, if asking again cannot succeed
 */
export async function reportApproval(
  ctx: AppContext,
  sessionId: string,
  input: CompleteCheckoutInput,
): Promise<ApprovedCheckout> {
  try {
    return await completeCheckout(ctx, sessionId, input);
  } catch (error) {
    if (isNotSeenYet(error)) return { status: 'CONFIRMING' };
    throw error;
  }
}

/** Whether a later call may succeed, also shortly after the session has expired. */
function isNotSeenYet(error: unknown): boolean {
  if (error instanceof NotSeenYet) return true;
  return error instanceof BillingError && error.code === 'session_expired' && error.param === 'signature';
}
