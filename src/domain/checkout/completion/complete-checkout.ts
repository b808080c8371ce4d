import { type Address, address, isSignature, type Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { decodeSubscription } from '../../../chain/accounts/accounts.ts';
import { subscriptionAddress } from '../../../chain/accounts/addresses.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { asOf, NodeBehind } from '../../../chain/rpc/as-of.ts';
import { BillingError, invalidRequest, notFound } from '../../../errors.ts';
import type { Environment, Subscription } from '../../../generated/prisma/client.ts';
import { isOfSubscription } from '../../billing/lifecycle/match-subscriptions.ts';
import { LANDING_SECONDS } from '../../billing/schedule/period.ts';
import { acceptsSubscribers, hasEnded } from '../../catalog/plan/accepts-subscribers.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import { CreationHidden, creationTimeOf, type SeenOnChain } from '../proof/account-creation.ts';
import { NotSeenYet } from '../proof/not-seen-yet.ts';
import { isInTime, type Proof } from '../proof/proof.ts';
import { verifyOnce } from '../proof/verify-once.ts';
import { type PresentedSubscription, verifyAccount, verifySignature } from '../proof/verify-subscription.ts';
import { findSession, type SessionRecord } from '../session/get-checkout-session.ts';
import { redirectUrl } from '../session/redirect-url.ts';
import { hasRequested } from '../session/remember-wallet.ts';
import { activateSubscription } from './activate-subscription.ts';
import { observeSubscription } from './observe-subscriptions.ts';

export interface CompleteCheckoutInput {
  /** Address of the subscription account. */
  readonly subscriptionPda: string;
  readonly userWallet: string;
  /** Signature of the transaction that created it. */
  readonly signature: string;
}

export interface CompletedCheckout {
  readonly sessionId: string;
  readonly status: 'COMPLETED';
  /** The subscription's address. */
  readonly subscriptionId: string;
  /** URL to which the customer is redirected; null if the merchant gave none. */
  readonly redirectUrl: string | null;
}

/**
 * Completes a session with a subscription that the customer's wallet has created on chain. The id
 * of the session gives access, without a key. A repeated call returns the same result. It checks in
 * this order:
 *
 * 1. the session exists, and is open or was completed by the same call
 * 2. it has not expired, or its wallet signed in time; and its plan can still be collected
 * 3. the address derives from plan and wallet, and the signature is well-formed
 * 4. the transaction is confirmed and successful, and created this subscription or reactivates it
 *    for this session
 * 5. the account belongs to the program, this wallet and this plan, has the displayed terms and is
 *    not cancelled
 * 6. no other session has this subscription, unless it is no longer collected; and it has not ended
 *    since the transaction
 *
 * @throws BillingError not_found or plan_inactive; session_expired, param `sessionId`, or
 *   `signature` if the transaction was not seen and may still land; or invalid_request, param
 *   `subscriptionPda`, `userWallet` or `signature`
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
 * Completes an expired session with a transaction that one of its wallets requested and that landed
 * in time. Any other final refusal is reported as `session_expired`. While a transaction sent in
 * time may still land, `param` is `signature`, and the client should repeat the call.
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
  if (!hasRequested(session, input.userWallet) || hasEnded(session.plan, now)) throw expired();
  return complete(ctx, session, input).catch((error) => {
    throw isFinalRefusal(error) ? expired(error) : error;
  });
}

/** Whether the error is a final refusal of the checkout. */
function isFinalRefusal(error: unknown): boolean {
  return error instanceof BillingError && error.code !== 'rate_limit_exceeded';
}

async function complete(
  ctx: AppContext,
  session: SessionRecord,
  input: CompleteCheckoutInput,
): Promise<CompletedCheckout> {
  const presented = await presentedSubscription(session, input);
  const { environment, plan } = session;
  const { address: subscription, wallet, signature } = presented;
  const chain = chainOf(ctx, environment);
  const { proof, slot: landedAt } = await verifyOnce(presented, async () =>
    verifySignature(await upToDate(ctx, chain), presented, signature),
  ).catch((error) => {
    // The plan was closed. Customers who subscribed before that are accepted.
    const isOver = !acceptsSubscribers(plan, ctx.clock.now());
    if (isOver && isFinalRefusal(error) && !(error instanceof NotSeenYet)) throw planInactive();
    throw error;
  });
  const isNew = proof.kind === 'created' && unixSeconds(ctx.clock.now()) < proof.at + LANDING_SECONDS;
  const { account, slot } = await verifyAccount(asOf(chain, landedAt), presented, isNew);
  if (session.status === 'EXPIRED' && !isInTime(proof, session)) {
    throw invalidRequest('signature', 'The transaction landed after the session had expired.');
  }
  const createdAt = await creationTime(ctx, session, { address: subscription, account, slot }, proof);
  const returned = proof.kind === 'returned' ? proof : undefined;
  const proven = { address: subscription, wallet, createdAt, signature, slot, ...(returned && { returned }) };
  const activation = await activateSubscription(ctx, chain, session.id, proven);
  if (activation.kind === 'taken') {
    throw invalidRequest('subscriptionPda', 'The subscription belongs to another checkout session.');
  }
  if (activation.kind === 'outdated') {
    throw invalidRequest(
      'signature',
      'The subscription has ended since the transaction was created: request a new one.',
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
 * Creation time of the current subscription account.
 *
 * @throws BillingError invalid_request, param `signature`, if the transaction created an earlier
 *   one; param `userWallet`, if strangers' transactions hide the creation; `NotSeenYet` if the node
 *   is behind
 */
async function creationTime(
  ctx: AppContext,
  { environment, plan }: SessionRecord,
  seen: SeenOnChain,
  proof: Proof,
): Promise<bigint> {
  if (proof.kind === 'created') {
    if (isOfSubscription(proof.at, seen.account, BigInt(plan.periodSeconds))) return proof.at;
    throw invalidRequest('signature', 'The transaction created an earlier subscription at this address.');
  }
  const known = await creationTimeOf(ctx, environment, plan, seen).catch((error: unknown) => {
    if (error instanceof NodeBehind) return undefined;
    if (!(error instanceof CreationHidden)) throw error;
    const problem = 'Too many transactions name the subscription of this wallet to find its creation';
    throw invalidRequest('userWallet', `${problem}: use another wallet.`);
  });
  if (known === undefined) {
    throw new NotSeenYet('The subscription cannot be read yet: try again in a moment.');
  }
  return known;
}

/**
 * Returns the result of the call that completed the session.
 *
 * @throws BillingError if this call differs from it
 */
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

async function presentedSubscription(
  { id: sessionId, plan }: SessionRecord,
  { subscriptionPda, userWallet, signature }: CompleteCheckoutInput,
): Promise<PresentedSubscription & { readonly signature: Signature }> {
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
  return new BillingError('plan_inactive', 'The plan is no longer active.');
}

/** Applies updates that the indexer saw before the subscription existed, from its mirror. */
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
