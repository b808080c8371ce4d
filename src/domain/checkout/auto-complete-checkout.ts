import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts.ts';
import { readTransaction, signaturesFor } from '../../chain/chain-transaction.ts';
import type { CheckoutSession, Environment, Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { LANDING_SECONDS } from '../payment/period.ts';
import { hasEnded } from '../plan/accepts-subscribers.ts';
import { activateSubscription } from './activate-subscription.ts';
import { creationOf, creationTimeOf } from './creation-of.ts';
import { isInTime, proofIn } from './proof.ts';
import { madeFor } from './session-memo.ts';
import { mismatch } from './verify-subscription.ts';

/** How far back the transaction is looked for with which a customer came back. */
const TRANSACTIONS_LOOKED_AT = 10;

/** Checkouts that wait for a wallet's subscription to a plan. */
interface Waiting {
  readonly plan: Plan;
  /** Newest first. */
  readonly sessions: readonly CheckoutSession[];
}

/**
 * A subscription is on chain that nobody has told us of: its app may have died after signing. Completes the session that
 * asked for this wallet's transactions, as the app would have, if the customer was in time.
 *
 * The transaction says which session it was made for. Where it was not built by us and sessions of different customers
 * asked for this wallet, none is chosen here, for asking proves nothing: the app that knows the transaction completes its
 * own.
 */
export async function autoCompleteCheckout(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount,
): Promise<void> {
  const waiting = await waitingFor(ctx, environment, address, account);
  if (!waiting) return;
  const { plan, sessions } = waiting;
  const made = await creationOf(chainOf(ctx, environment), plan, address, account);
  // The node that we ask is behind the one that told us: to be applied again.
  if (!made) throw new Error(`No transaction made the subscription ${address} (yet)`);
  const { createdAt, signature, transaction } = made;
  const inTime = sessions.filter((session) => {
    const proof = { kind: 'created', at: createdAt } as const;
    return isInTime(proof, session) && madeFor(transaction, session.id) !== 'another';
  });
  const [newest] = inTime;
  if (newest && inTime.every((session) => isSameCustomer(session, newest))) {
    const proven = { address, wallet: account.subscriber, createdAt, signature };
    await activateSubscription(ctx, chainOf(ctx, environment), newest.id, proven);
    return;
  }
  if (await completeReturn(ctx, environment, address, account, waiting)) return;
  ctx.log.warn({ address, sessions: inTime.length }, 'no one session to complete on its own');
}

/** The same for a subscription that is over here and was seen on chain: its customer may have come back. */
export async function autoCompleteReturn(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount,
): Promise<void> {
  const waiting = await waitingFor(ctx, environment, address, account);
  if (waiting) await completeReturn(ctx, environment, address, account, waiting);
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
  if (mismatch({ plan, wallet }, account)) return undefined;
  // What was over before the subscription ended the last time cannot undo that end.
  const ended = await db.subscriptionTransition.findFirst({
    where: { subscription: { environment, address, closedAt: null }, to: { in: ['CANCELLED', 'EXPIRED'] } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    select: { at: true },
  });
  const from = ended && new Date(ended.at.getTime() - Number(LANDING_SECONDS) * 1000);
  const sessions = await db.checkoutSession.findMany({
    where: {
      planId: plan.id,
      walletAddress: wallet,
      status: { in: ['OPEN', 'EXPIRED'] },
      ...(from && { expiresAt: { gte: from } }),
    },
    orderBy: { createdAt: 'desc' },
  });
  return sessions.length === 0 ? undefined : { plan, sessions };
}

/** Looks for the transaction with which the wallet took its subscription up for one of the sessions. */
async function completeReturn(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount,
  { plan, sessions }: Waiting,
): Promise<boolean> {
  const chain = chainOf(ctx, environment);
  const wallet = account.subscriber;
  const recent = await signaturesFor(chain, address, { limit: TRANSACTIONS_LOOKED_AT });
  for (const { signature, failed } of recent) {
    const transaction = failed ? undefined : await readTransaction(chain, signature);
    if (!transaction) continue;
    for (const session of sessions) {
      const proof = proofIn(transaction, session.id, { plan: account.plan, address, wallet });
      if (proof?.kind !== 'returned' || !isInTime(proof, session)) continue;
      const createdAt = await creationTimeOf(ctx, environment, plan, address, account);
      if (createdAt === undefined) throw new Error(`No transaction made the subscription ${address} (yet)`);
      const proven = { address, wallet, createdAt, signature, returned: proof };
      const { kind } = await activateSubscription(ctx, chain, session.id, proven);
      if (kind === 'activated' || kind === 'completed_before') return true;
    }
  }
  return false;
}

function isSameCustomer(a: CheckoutSession, b: CheckoutSession): boolean {
  return a.customerEmail === b.customerEmail && a.customerId === b.customerId;
}
