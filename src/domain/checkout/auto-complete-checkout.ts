import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { type ChainTransaction, readTransaction, signaturesFor } from '../../chain/chain-transaction.ts';
import { decodeEvents } from '../../chain/events.ts';
import type { CheckoutSession, Environment, Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { dateOf } from '../payment/billable.ts';
import { hasEnded } from '../plan/accepts-subscribers.ts';
import { isOfLife } from '../subscription/lives.ts';
import { activateSubscription } from './activate-subscription.ts';
import { madeFor } from './session-memo.ts';
import { mismatch } from './verify-subscription.ts';

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
  const plan = await ctx.db.plan.findUnique({
    where: { environment_address: { environment, address: account.plan } },
  });
  if (!plan || hasEnded(plan, ctx.clock.now())) return;
  const wallet = account.subscriber;
  if (mismatch({ plan, wallet }, account)) return;
  const waiting = await ctx.db.checkoutSession.findMany({
    where: { planId: plan.id, walletAddress: wallet, status: { in: ['OPEN', 'EXPIRED'] } },
    orderBy: { createdAt: 'desc' },
  });
  if (waiting.length === 0) return;
  const made = await creationOf(chainOf(ctx, environment), plan, address, account);
  // The node that we ask is behind the one that told us: to be applied again.
  if (!made) throw new Error(`No transaction made the subscription ${address} (yet)`);
  const createdAt = dateOf(made.createdAt);
  const inTime = waiting.filter(({ expiresAt, id }) => {
    return createdAt <= expiresAt && madeFor(made.transaction, id) !== 'another';
  });
  const [newest] = inTime;
  if (!newest || !inTime.every((session) => isSameCustomer(session, newest))) {
    ctx.log.warn({ address, wallet, sessions: inTime.length }, 'no one session to complete on its own');
    return;
  }
  const { createdAt: chainCreatedAt, signature } = made;
  await activateSubscription(ctx, newest.id, { address, wallet, createdAt: chainCreatedAt, signature });
}

function isSameCustomer(a: CheckoutSession, b: CheckoutSession): boolean {
  return a.customerEmail === b.customerEmail && a.customerId === b.customerId;
}

/** The transaction that made this life of the address, and the time that the chain gave it. */
async function creationOf(
  chain: Chain,
  { intervalSeconds }: Plan,
  address: Address,
  { plan, subscriber, periodStart }: SubscriptionAccount,
): Promise<{ createdAt: bigint; signature: string; transaction: ChainTransaction } | undefined> {
  for (const { signature, failed } of await signaturesFor(chain, address)) {
    const transaction = failed ? undefined : await readTransaction(chain, signature);
    if (!transaction) continue;
    const created = decodeEvents(transaction).find(
      (event) => event.type === 'created' && event.plan === plan && event.subscriber === subscriber,
    );
    if (created?.type !== 'created') continue;
    if (isOfLife(created.createdAt, periodStart, BigInt(intervalSeconds)))
      return { createdAt: created.createdAt, signature, transaction };
  }
  return undefined;
}
