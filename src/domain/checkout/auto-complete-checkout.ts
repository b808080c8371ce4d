import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction, signaturesFor } from '../../chain/chain-transaction.ts';
import { decodeEvents } from '../../chain/events.ts';
import type { CheckoutSession, Environment, Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { dateOf } from '../payment/billable.ts';
import { hasEnded } from '../plan/accepts-subscribers.ts';
import { isOfLife } from '../subscription/lives.ts';
import { activateSubscription } from './activate-subscription.ts';
import { mismatch } from './verify-subscription.ts';

/**
 * A subscription is on chain that nobody has told us of: its app may have died after signing. Completes the session that
 * asked for this wallet's transactions, as the app would have, if the customer was in time.
 *
 * Who asks for transactions proves nothing about the wallet. So where sessions of different customers asked for the same
 * one, none is chosen here: the app that knows the transaction completes its own.
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
  if (mismatch({ plan, address, wallet }, account)) return;
  const waiting = await ctx.db.checkoutSession.findMany({
    where: { planId: plan.id, walletAddress: wallet, status: { in: ['OPEN', 'EXPIRED'] } },
    orderBy: { createdAt: 'desc' },
  });
  if (waiting.length === 0) return;
  const made = await creationOf(chainOf(ctx, environment), plan, address, account);
  // The node that we ask is behind the one that told us: to be applied again.
  if (!made) throw new Error(`No transaction made the subscription ${address} (yet)`);
  const createdAt = dateOf(made.createdAt);
  const inTime = waiting.filter(({ expiresAt }) => createdAt <= expiresAt);
  const [newest] = inTime;
  if (!newest || !inTime.every((session) => isSameCustomer(session, newest))) {
    ctx.log.warn({ address, wallet, sessions: inTime.length }, 'no one session to complete on its own');
    return;
  }
  await activateSubscription(ctx, newest.id, { address, wallet, ...made });
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
): Promise<{ createdAt: bigint; signature: string } | undefined> {
  for (const { signature, failed } of await signaturesFor(chain, address)) {
    const transaction = failed ? undefined : await readTransaction(chain, signature);
    if (!transaction) continue;
    const created = decodeEvents(transaction).find(
      (event) => event.type === 'created' && event.plan === plan && event.subscriber === subscriber,
    );
    if (created?.type !== 'created') continue;
    if (isOfLife(created.createdAt, periodStart, BigInt(intervalSeconds)))
      return { createdAt: created.createdAt, signature };
  }
  return undefined;
}
