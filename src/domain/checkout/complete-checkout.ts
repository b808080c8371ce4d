import { type Address, address, isSignature, type Signature } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../chain/accounts.ts';
import { subscriptionAddress } from '../../chain/addresses.ts';
import { BillingError, invalidRequest, notFound } from '../../errors.ts';
import type { Environment, Subscription } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { validAddress } from '../merchant/valid-text.ts';
import { unixSeconds } from '../payment/billable.ts';
import { acceptsSubscribers, hasEnded } from '../plan/accepts-subscribers.ts';
import { isOfLife } from '../subscription/lives.ts';
import { observeSubscription } from '../subscription/observe-subscriptions.ts';
import { activateSubscription } from './activate-subscription.ts';
import { creationTimeOf } from './creation-of.ts';
import { findSession, type SessionRecord } from './get-checkout-session.ts';
import { NotSeenYet } from './not-seen-yet.ts';
import { isInTime, type Proof } from './proof.ts';
import { redirectUrl } from './redirect-url.ts';
import { type ClaimedSubscription, verifyAccount, verifySignature } from './verify-subscription.ts';
import { verifyingOnce } from './verifying-once.ts';

export interface CompleteCheckoutInput {
  /** Address of the subscription's account. */
  readonly subscriptionPda: string;
  readonly userWallet: string;
  /** Of the transaction that made it. */
  readonly signature: string;
}

export interface CompletedCheckout {
  readonly sessionId: string;
  readonly status: 'COMPLETED';
  /** The subscription's address. */
  readonly subscriptionId: string;
  /** Where the customer goes on to; null where the merchant named no place. */
  readonly redirectUrl: string | null;
}

/**
 * Finishes a session with what the customer's wallet did on chain. The id of the session is the permission, the chain is
 * the proof. The same call again gets the same answer.
 *
 * 1. the session is known, and open or completed by the same call
 * 2. it has not expired, or its wallet signed in time; and its plan can still be collected
 * 3. the address derives from plan and wallet, and the signature is one
 * 4. the transaction is confirmed, went well and made this subscription, or took it up for this session
 * 5. the account is the program's, of this wallet and plan, with the terms shown, not cancelled
 * 6. it is no other session's, or not collected from any more, and has not ended since
 *
 * @throws BillingError not_found or plan_inactive; session_expired, param `sessionId`, or `signature` where the transaction
 * is not seen and may still land; or invalid_request, param `subscriptionPda`, `userWallet` or `signature`
 */
export async function completeCheckout(
  ctx: AppContext,
  sessionId: string,
  input: CompleteCheckoutInput,
): Promise<CompletedCheckout> {
  const session = await findSession(ctx, sessionId);
  if (!session) throw notFound('checkout session', 'sessionId');
  if (session.subscription) return answerAgain(session, session.subscription, input);
  if (session.status === 'EXPIRED') return completeLate(ctx, session, input);
  if (hasEnded(session.plan, ctx.clock.now())) throw planInactive();
  return complete(ctx, session, input);
}

/**
 * The session's time is over. Only the wallet that asked for its transaction can have been in time, and only a transaction
 * that was; whatever else is wrong, the session has expired. So it has where the transaction is not seen yet, but as long
 * as one that was sent in time may still land, `param` tells who waits for it to ask again.
 */
async function completeLate(
  ctx: AppContext,
  session: SessionRecord,
  input: CompleteCheckoutInput,
): Promise<CompletedCheckout> {
  const now = ctx.clock.now();
  const mayLand = isInTime({ at: unixSeconds(now) }, session);
  const expired = (cause?: unknown) =>
    cause instanceof NotSeenYet && mayLand
      ? new BillingError('session_expired', `The checkout session has expired. ${cause.message}`, cause.param)
      : new BillingError('session_expired', 'The checkout session has expired.', 'sessionId', { cause });
  const { walletAddress, plan } = session;
  if (input.userWallet !== walletAddress || hasEnded(plan, now)) throw expired();
  return complete(ctx, session, input).catch((error) => {
    throw error instanceof BillingError ? expired(error) : error;
  });
}

async function complete(
  ctx: AppContext,
  session: SessionRecord,
  input: CompleteCheckoutInput,
): Promise<CompletedCheckout> {
  const claimed = await claimedSubscription(session, input);
  const { environment, plan } = session;
  const { address: subscription, wallet, signature } = claimed;
  const chain = chainOf(ctx, environment);
  const proof = await verifyingOnce(claimed, () => verifySignature(chain, claimed, signature)).catch(
    (error) => {
      // A plan that was closed before the customer got there; who subscribed in time is welcome.
      if (error instanceof BillingError && !acceptsSubscribers(plan, ctx.clock.now())) throw planInactive();
      throw error;
    },
  );
  const { account, slot } = await verifyAccount(chain, claimed);
  if (session.status === 'EXPIRED' && !isInTime(proof, session)) {
    throw invalidRequest('signature', 'The transaction came after the end of the session.');
  }
  const createdAt = await creationTime(ctx, session, claimed, account, proof);
  const returned = proof.kind === 'returned' ? proof : undefined;
  const proven = { address: subscription, wallet, createdAt, signature, ...(returned && { returned }) };
  const activation = await activateSubscription(ctx, chain, session.id, proven);
  if (activation.kind === 'taken') {
    throw invalidRequest('subscriptionPda', 'The subscription belongs to another checkout session.');
  }
  if (activation.kind === 'outdated') {
    throw invalidRequest(
      'signature',
      'The subscription has ended since the transaction was made: ask for a new one.',
    );
  }
  if (activation.kind === 'completed_before') {
    const before = await ctx.db.checkoutSession.findUniqueOrThrow({ where: { id: session.id } });
    return answerAgain({ ...session, signature: before.signature }, activation.subscription, input);
  }
  await applyNewerState(ctx, environment, subscription, slot);
  return completed(session, activation.subscription);
}

/**
 * When the chain made the life that the account is.
 *
 * @throws BillingError invalid_request, param `signature`, where the transaction made an earlier one
 */
async function creationTime(
  ctx: AppContext,
  { environment, plan }: SessionRecord,
  { address: subscription }: ClaimedSubscription,
  account: SubscriptionAccount,
  proof: Proof,
): Promise<bigint> {
  if (proof.kind === 'created') {
    if (isOfLife(proof.at, account.periodStart, BigInt(plan.intervalSeconds))) return proof.at;
    throw invalidRequest('signature', 'The transaction made an earlier subscription at this address.');
  }
  const known = await creationTimeOf(ctx, environment, plan, subscription, account);
  if (known === undefined) {
    throw new NotSeenYet('The subscription cannot be read (yet): try again in a moment.');
  }
  return known;
}

/** The same call as the one that completed the session. @throws BillingError where it is another */
function answerAgain(
  session: Pick<SessionRecord, 'id' | 'successUrl' | 'signature'>,
  subscription: Subscription,
  { subscriptionPda, userWallet, signature }: CompleteCheckoutInput,
): CompletedCheckout {
  const completedBy = 'The session was completed with another';
  if (subscriptionPda !== subscription.address) {
    throw invalidRequest('subscriptionPda', `${completedBy} subscription.`);
  }
  if (userWallet !== subscription.walletAddress) {
    throw invalidRequest('userWallet', `${completedBy} wallet.`);
  }
  if (signature !== session.signature) throw invalidRequest('signature', `${completedBy} transaction.`);
  return completed(session, subscription);
}

function completed(
  session: Pick<SessionRecord, 'id' | 'successUrl'>,
  { address: subscriptionId }: Subscription,
): CompletedCheckout {
  return { sessionId: session.id, status: 'COMPLETED', subscriptionId, redirectUrl: redirectUrl(session) };
}

async function claimedSubscription(
  { id: sessionId, plan }: SessionRecord,
  { subscriptionPda, userWallet, signature }: CompleteCheckoutInput,
): Promise<ClaimedSubscription & { readonly signature: Signature }> {
  const pda = validAddress('subscriptionPda', subscriptionPda);
  const wallet = validAddress('userWallet', userWallet);
  if (!isSignature(signature))
    throw invalidRequest('signature', 'signature must be a transaction signature.');
  if ((await subscriptionAddress(address(plan.address), wallet)) !== pda) {
    throw invalidRequest(
      'subscriptionPda',
      'subscriptionPda is not the address for this plan and userWallet.',
    );
  }
  return { sessionId, plan, address: pda, wallet, signature };
}

function planInactive(): BillingError {
  return new BillingError('plan_inactive', 'The plan is not active any more.');
}

/**
 * What the indexer saw of the address while we were at it, it had no subscription to apply to. Its mirror has it.
 */
async function applyNewerState(
  ctx: AppContext,
  environment: Environment,
  subscription: Address,
  slot: bigint,
): Promise<void> {
  const mirrored = await ctx.db.chainAccount.findUnique({
    where: { environment_address: { environment, address: subscription } },
  });
  if (!mirrored || mirrored.slot <= slot) return;
  const account = mirrored.closed ? null : decodeSubscription(mirrored.data);
  await observeSubscription(ctx, environment, subscription, account, mirrored.slot);
}
