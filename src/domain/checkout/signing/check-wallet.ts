import type { AppContext } from '../../../app.ts';
import { BillingError } from '../../../errors.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import { LacksFunds, type MissingFunds } from './missing-funds.ts';
import { type CheckoutTransactions, transactionsToSign } from './transactions-to-sign.ts';

/** Whether a wallet can subscribe now. */
export interface WalletCheck {
  /** Why it cannot, for the customer; null if it can. */
  readonly refusal: string | null;
  /** The missing funds; null if it lacks none. */
  readonly missing: MissingFunds | null;
  /** What the wallet would sign; null if no transaction can be created. */
  readonly checkout: CheckoutTransactions | null;
}

/**
 * Checks whether a wallet can subscribe now. It is asked again while a customer adds funds, so a
 * wallet that cannot subscribe is a result, not an error. The session stores the wallet.
 *
 * @throws BillingError not_found, session_expired, plan_inactive, or invalid_request; param
 *   `sessionId`, or `userWallet` if it is not an address
 */
export async function checkWallet(
  ctx: AppContext,
  sessionId: string,
  input: Parameters<typeof transactionsToSign>[2],
): Promise<WalletCheck> {
  validAddress('userWallet', input.userWallet);
  try {
    const checkout = await transactionsToSign(ctx, sessionId, input);
    const { lacks } = checkout;
    return { refusal: lacks?.message ?? null, missing: lacks?.missing ?? null, checkout };
  } catch (error) {
    if (!(error instanceof BillingError) || error.param !== 'userWallet') throw error;
    const missing = error instanceof LacksFunds ? error.missing : null;
    return { refusal: error.message, missing, checkout: null };
  }
}
