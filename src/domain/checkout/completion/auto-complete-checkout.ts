import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { asOf } from '../../../chain/rpc/as-of.ts';
import { readTransaction, signaturesFor } from '../../../chain/rpc/chain-transaction.ts';
import type { Environment, Plan } from '../../../generated/prisma/client.ts';
import { LANDING_SECONDS } from '../../billing/schedule/period.ts';
import { hasEnded } from '../../catalog/plan/accepts-subscribers.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { CreationHidden, creationTimeOf, findCreation, type SeenOnChain } from '../proof/account-creation.ts';
import { isInTime, proofIn } from '../proof/proof.ts';
import { madeFor } from '../proof/session-memo.ts';
import { mismatchOf } from '../proof/verify-subscription.ts';
import { activateSubscription } from './activate-subscription.ts';
import { recordDuplicate } from './record-duplicate.ts';
import { listWaitingSessions, MAX_WAITING_SESSIONS, type WaitingSession } from './waiting-checkouts.ts';

/** Maximum transactions searched for the one that reactivates a subscription. */
const MAX_TRANSACTIONS = 10;

/** Checkout sessions that wait for a wallet's subscription to a plan. */
interface Waiting {
  readonly plan: Plan;
  /** Newest first. */
  readonly sessions: readonly WaitingSession[];
}

/**
 * Completes a checkout session for a subscription that was seen on chain before its app reported
 * it: the app may have stopped after signing. The transaction must have landed in time.
 *
 * A transaction of dues names its session. One that was built elsewhere names none, and does not
 * prove which session it belongs to. Then no session is completed, and the app that has the
 * signature must do it, in three cases:
 *
 * 1. Sessions of several customers, or with several prices or discounts, requested transactions for this wallet.
 * 2. So many sessions wait that not all are read.
 * 3. Other transactions at the address hide this one.
 */
export function autoCompleteCheckout(
  ctx: AppContext,
  environment: Environment,
  seen: SeenOnChain,
): Promise<void> {
  return completeWaiting(ctx, environment, seen, completeNew);
}

async function completeNew(
  ctx: AppContext,
  environment: Environment,
  { address, account, slot }: SeenOnChain,
  waiting: Waiting,
): Promise<void> {
  const { plan, sessions } = waiting;
  const creation = await findCreation(chainOf(ctx, environment), plan, { address, account, slot });
  // Our node is behind the one that reported the account: the update is applied again later.
  if (!creation) throw new Error(`No transaction found that created the subscription ${address}`);
  const { createdAt, signature, transaction } = creation;
  const inTime = sessions.filter((session) => {
    const proof = { kind: 'created', at: createdAt } as const;
    return isInTime(proof, session) && madeFor(transaction, session.id) !== 'another';
  });
  const [newest] = inTime;
  // A full list may lack the sessions of other customers.
  const mayLackOthers =
    sessions.length === MAX_WAITING_SESSIONS && newest && madeFor(transaction, newest.id) === 'unmarked';
  if (newest && !mayLackOthers && inTime.every((session) => isSameAgreement(session, newest))) {
    const proven = { address, wallet: account.subscriber, createdAt, signature, slot };
    const { kind } = await activateSubscription(ctx, chainOf(ctx, environment), newest.id, proven);
    if (kind === 'completed_before' && madeFor(transaction, newest.id) === 'this') {
      await recordDuplicate(ctx, newest.id, { address, account, signature });
    }
    return;
  }
  if (await completeReturn(ctx, environment, { address, account, slot }, waiting)) return;
  ctx.log.warn(
    { address, sessions: inTime.length },
    'several sessions wait for the subscription: none completed',
  );
}

/**
 * Completes a checkout session for a subscription that has ended in dues and was seen on chain: its
 * wallet may have signed to reactivate it.
 */
export function autoCompleteReturn(
  ctx: AppContext,
  environment: Environment,
  seen: SeenOnChain,
): Promise<void> {
  return completeWaiting(ctx, environment, seen, completeReturn);
}

/** Completes one of the sessions that wait for the subscription, if there are any. */
async function completeWaiting(
  ctx: AppContext,
  environment: Environment,
  seen: SeenOnChain,
  complete: typeof completeNew | typeof completeReturn,
): Promise<void> {
  const waiting = await waitingFor(ctx, environment, seen.address, seen.account);
  if (!waiting) return;
  try {
    await complete(ctx, environment, seen, waiting);
  } catch (err) {
    // A hidden transaction stays hidden, so the update must not be applied again because of it.
    if (!(err instanceof CreationHidden)) throw err;
    ctx.log.warn({ err }, 'checkout not completed: its app must complete it');
  }
}

async function waitingFor(
  { db, clock }: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount,
): Promise<Waiting | undefined> {
  const plan = await db.plan.findUnique({
    where: { environment_address: { environment, address: account.plan } },
  });
  if (!plan || hasEnded(plan, clock.now())) return undefined;
  const wallet = account.subscriber;
  if (mismatchOf({ plan, wallet }, account)) return undefined;
  // A session that ended before the subscription last ended cannot undo that end.
  const ended = await db.subscriptionTransition.findFirst({
    where: { subscription: { environment, address, closedAt: null }, to: { in: ['CANCELLED', 'EXPIRED'] } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    select: { at: true },
  });
  const from = ended && new Date(ended.at.getTime() - Number(LANDING_SECONDS) * 1000);
  const sessions = await listWaitingSessions({ db }, { planId: plan.id, wallet, ...(from && { from }) });
  return sessions.length === 0 ? undefined : { plan, sessions };
}

/** Searches for the transaction that reactivates the subscription for one of the sessions. */
async function completeReturn(
  ctx: AppContext,
  environment: Environment,
  { address, account, slot }: SeenOnChain,
  { plan, sessions }: Waiting,
): Promise<boolean> {
  const chain = chainOf(ctx, environment);
  const wallet = account.subscriber;
  // At the slot of the account, because a missing transaction is not searched for again.
  const recent = await signaturesFor(asOf(chain, slot), address, { limit: MAX_TRANSACTIONS });
  for (const { signature, failed } of recent) {
    if (failed) continue;
    const transaction = await readTransaction(chain, signature);
    // The update is applied again later.
    if (!transaction) throw new Error(`The node does not have the transaction ${signature} yet`);
    for (const session of sessions) {
      // Checked first, because it costs less than the other checks.
      if (madeFor(transaction, session.id) !== 'this') continue;
      const proof = proofIn(transaction, session.id, { plan: account.plan, address, wallet });
      if (proof?.kind !== 'returned' || !isInTime(proof, session)) continue;
      const createdAt = await creationTimeOf(ctx, environment, plan, { address, account, slot });
      if (createdAt === undefined)
        throw new Error(`No transaction found that created the subscription ${address}`);
      const proven = { address, wallet, createdAt, signature, slot, returned: proof };
      const { kind } = await activateSubscription(ctx, chain, session.id, proven);
      if (kind === 'activated' || kind === 'completed_before') return true;
    }
  }
  return false;
}

function isSameAgreement(a: WaitingSession, b: WaitingSession): boolean {
  const isSameCustomer = a.customerEmail === b.customerEmail && a.customerId === b.customerId;
  return isSameCustomer && a.priceId === b.priceId && a.discountId === b.discountId;
}
