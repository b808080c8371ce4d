// The setting SIGN_UP says who may create a merchant:
//
// - open: any wallet.
// - invited: wallets that the operator has invited (`dues invite`). Being a member is not enough: an
//   owner could invite any number of its own wallets.
// - closed: only the operator, at the command line.
//
// The wallet signs the message of a sign-in. A sign-in that fails because the wallet is not a member
// anywhere leaves its signature valid for one sign-up until the message expires, if the wallet may
// sign up: it signs once.
//
// A wallet owns at most one merchant: `Merchant.walletAddress` is unique.
import type { AppContext } from '../../../app.ts';
import { BillingError } from '../../../errors.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import type { RequestOrigin } from '../../kernel/audit-log/actor.ts';
import { createMerchant } from '../merchant/create-merchant.ts';
import { validProfile } from '../merchant/profile.ts';
import { chooseMerchant } from './choose-merchant.ts';
import { endReplacedSession } from './end-replaced-session.ts';
import { isInvited } from './invitations.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { type SignedMessage, verifyForSignUp } from './verify-signed-message.ts';

export type SignUpPolicy = 'open' | 'invited' | 'closed';

export function signUpPolicyOf({ config }: Pick<AppContext, 'config'>): SignUpPolicy {
  return config.signUp;
}

/** Whether the setting allows the wallet to create a merchant. */
export async function maySignUp(
  ctx: Pick<AppContext, 'config' | 'db'>,
  walletAddress: string,
): Promise<boolean> {
  const policy = signUpPolicyOf(ctx);
  return policy === 'open' || (policy === 'invited' && (await isInvited(ctx, walletAddress)));
}

export interface SignUpInput {
  /** Name shown at the checkout. */
  readonly companyName: string;
  /**
   * A wallet's answer to the message of a sign-in; without it the wallet of the signed-in member.
   */
  readonly signed?: SignedMessage | undefined;
  readonly member?: MemberCaller | undefined;
}

/**
 * Creates a merchant whose wallet is its first owner, and signs that owner in. The caller's earlier
 * member session ends.
 *
 * @throws BillingError as `verifySignedMessage`; invalid_request, param `companyName` or
 *   `walletAddress` (it has a merchant already); authentication_error if the setting forbids it
 */
export async function signUp(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock' | 'live'>,
  { companyName, signed, member }: SignUpInput,
  origin: RequestOrigin,
): Promise<OpenedSession> {
  if (signUpPolicyOf(ctx) === 'closed')
    throw refused('Only the operator of this service can create merchants.');
  // Validated before the signature is used, because it works only once.
  validProfile({ companyName });
  const walletAddress = signed ? await verifyForSignUp(ctx, signed) : member?.walletAddress;
  if (walletAddress === undefined) throw refused('A new merchant needs the signature of its wallet.');
  if (!(await maySignUp(ctx, walletAddress))) {
    throw refused('The operator of this service must invite a wallet before it can create a merchant.');
  }
  const { merchant, owner } = await createMerchant(ctx, { companyName, walletAddress }, origin);
  if (member && !signed) return chooseMerchant(ctx, member, { merchantId: merchant.id }, origin);
  const opened = await ctx.db.$transaction((tx) => openSession(ctx, tx, owner, origin));
  await endReplacedSession(ctx, member);
  return opened;
}

function refused(message: string): BillingError {
  return new BillingError('authentication_error', message);
}
