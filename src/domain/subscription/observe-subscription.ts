// What the mirror of the chain says of one subscription address. Cases, in the order they are looked at:
//
//   1. the account is closed                        lives that we know are over (delegation_closed)
//   2. it is a life newer than those that we know   the known ones are over; a checkout session that waits for this
//                                                   wallet is completed with it
//   3. it is a life that we know
//      a. cancelled on chain                        CANCELLED until then
//      b. not cancelled, and was cancelled on chain ACTIVE again
//      c. over here, and not cancelled              a checkout session that its wallet signed for is completed with it
//      d. anything else                             nothing: a replay, or of no interest
//
// Applying a state again changes nothing. Older states than the mirror's are left alone: `slot` says how old one is.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../chain/accounts.ts';
import { PROGRAM } from '../../chain/addresses.ts';
import { readAccounts } from '../../chain/read-accounts.ts';
import type { DbTransaction } from '../../db.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { autoCompleteCheckout, autoCompleteReturn } from '../checkout/auto-complete-checkout.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { type BillableSubscription, dateOf, lockSubscription } from '../payment/billable.ts';
import { announceSubscription } from './announce-subscription.ts';
import { endSubscription, paidThrough } from './end-subscription.ts';
import { lastReason } from './last-reason.ts';
import { matchLives } from './lives.ts';
import { resumeSubscription } from './resume-subscription.ts';
import { COLLECTING } from './status.ts';

interface Observation {
  readonly address: Address;
  /** Null: closed. */
  readonly account: SubscriptionAccount | null;
  readonly slot: bigint;
}

/**
 * Takes over what the chain says of a subscription. The caller tells the states of one address one after the other, in
 * the order of their slots, each after it is in the mirror (`ChainAccount`). `account` is null where it is closed.
 */
export async function observeSubscription(
  ctx: AppContext,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount | null,
  slot: bigint,
): Promise<void> {
  const lives = await ctx.db.subscription.findMany({
    where: { environment, address, closedAt: null },
    orderBy: { chainCreatedAt: 'desc' },
    select: { id: true, status: true, chainCreatedAt: true, plan: { select: { intervalSeconds: true } } },
  });
  const seen = await confirmClosed(ctx, environment, { address, account, slot }, lives);
  const intervalSeconds = BigInt(lives[0]?.plan.intervalSeconds ?? 1);
  const { current, over, isNew } = matchLives(lives, seen.account?.periodStart ?? null, intervalSeconds);
  for (const life of over) await apply(ctx, seen, life.id, closeLife);
  if (current) {
    await apply(ctx, seen, current.id, (tx, subscription, at) => mirror(tx, subscription, seen, at));
    if (seen.account && !COLLECTING.includes(current.status)) {
      await autoCompleteReturn(ctx, environment, address, seen.account);
    }
  } else if (seen.account && isNew) {
    await autoCompleteCheckout(ctx, environment, address, seen.account);
  }
}

/**
 * Who hears of a close late may not know that the address lives again already. So before a running subscription is ended
 * the chain is asked; an answer from before the close says nothing against it.
 */
async function confirmClosed(
  ctx: AppContext,
  environment: Environment,
  observation: Observation,
  lives: readonly Pick<BillableSubscription, 'status'>[],
): Promise<Observation> {
  const { address, account, slot } = observation;
  if (account || !lives.some(({ status }) => COLLECTING.includes(status))) return observation;
  const [now] = await readAccounts(chainOf(ctx, environment), [address]);
  if (!now || now.owner !== PROGRAM || now.slot < slot) return observation;
  return { address, account: decodeSubscription(now.data), slot: now.slot };
}

type Change = (tx: DbTransaction, subscription: BillableSubscription, at: Date) => Promise<boolean>;

/** Makes the change under the row's lock, unless the mirror has a newer state, whose observer is on its way. */
async function apply(ctx: AppContext, { address, slot }: Observation, id: string, change: Change) {
  const changed = await ctx.db.$transaction(async (tx) => {
    const subscription = await lockSubscription(tx, id);
    const { environment } = subscription;
    const mirrored = await tx.chainAccount.findUnique({
      where: { environment_address: { environment, address } },
      select: { slot: true },
    });
    if (mirrored && mirrored.slot > slot) return undefined;
    return (await change(tx, subscription, ctx.clock.now())) ? subscription : undefined;
  });
  if (changed) await announceSubscription(ctx, changed);
}

const closeLife: Change = async (tx, subscription, at) => {
  await tx.subscription.update({ where: { id: subscription.id }, data: { closedAt: at } });
  const accessUntil = paidThrough(subscription, at);
  return endSubscription(tx, subscription, { reason: 'delegation_closed', accessUntil, at });
};

async function mirror(
  tx: DbTransaction,
  subscription: BillableSubscription,
  { account }: Observation,
  at: Date,
): Promise<boolean> {
  const { id, status, accessUntil } = subscription;
  if (!account) return false;
  const cancelledOnChain = status === 'CANCELLED' && (await lastReason(tx, id)) === 'cancelled_on_chain';
  if (account.expiresAt === 0n) {
    return cancelledOnChain ? resumeSubscription(tx, subscription, at) : false;
  }
  const expiresAt = dateOf(account.expiresAt);
  if (!cancelledOnChain) {
    return endSubscription(tx, subscription, { reason: 'cancelled_on_chain', accessUntil: expiresAt, at });
  }
  // Cancelled at the period's end first, and at once after that; or resumed and cancelled while nobody looked.
  if (accessUntil?.getTime() === expiresAt.getTime()) return false;
  await tx.subscription.update({ where: { id }, data: { accessUntil: expiresAt } });
  return true;
}
