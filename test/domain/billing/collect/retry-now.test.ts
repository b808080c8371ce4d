import { beforeEach, describe, expect, it } from 'vitest';
import { preparePayments } from '../../../../src/domain/billing/collect/prepare-payments.ts';
import {
  retryNow,
  type ToppedUp,
  watchedTokenAccounts,
} from '../../../../src/domain/billing/collect/retry-now.ts';
import { retryPayment } from '../../../../src/domain/billing/collect/retry-payment.ts';
import { createPrice } from '../../../../src/domain/billing/price/create-price.ts';
import type { Plan, Subscription } from '../../../../src/generated/prisma/client.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { DAY, PRICE, startWorld } from '../../world.ts';

const LATER_MS = 60_000;

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const { ctx, db } = world;
const later = () => new Date(ctx.clock.now().getTime() + LATER_MS);

let serial = 0;
let plan: Plan;
let subscription: Subscription;

/** A subscription with a price of its own, whose payment has failed and is retried in a minute. */
async function subscribe(price: bigint, newPlanPrice: bigint, wallet = world.newWallet()): Promise<void> {
  plan = await world.publishPlan(merchant, {
    planId: `retried-${++serial}`,
    amount: price,
    maxAmount: 4n * PRICE,
  });
  const { id } = await world.subscribe(merchant, plan, await wallet);
  await createPrice(ctx, merchant.scope, plan.planId, newPlanPrice);
  const data = { status: 'PAST_DUE', failureCount: 1, nextAttemptAt: later() } as const;
  subscription = await db.subscription.update({ where: { id }, data });
}

const countRetried = async (facts: ToppedUp) => (await retryNow(ctx, 'TEST', facts)).count;

const topUp = (balance: bigint, { tokenAccount, address } = subscription) => {
  const facts = { tokenAccount, balance, slot: 0n, subscriptions: [address], isFirstLook: false };
  return countRetried(facts);
};

/** What a worker would collect from the subscription now. */
async function amountDue(): Promise<bigint | undefined> {
  const [due] = await preparePayments(ctx, { environment: 'TEST', subscriptionIds: [subscription.id] });
  return due?.payment.amount;
}

describe.each([
  { name: 'below', price: PRICE, newPlanPrice: 3n * PRICE },
  { name: 'above', price: 3n * PRICE, newPlanPrice: PRICE },
])('a price $name that of the plan', ({ price, newPlanPrice }) => {
  beforeEach(() => subscribe(price, newPlanPrice));

  it('is what a top-up must reach', async () => {
    expect(await topUp(price - 1n)).toBe(0);
    expect(await topUp(price)).toBe(1);
    expect(await amountDue()).toBe(price);
  });

  it('is what a retry by the merchant collects', async () => {
    await retryPayment(ctx, merchant.scope, subscription.address);
    expect(await amountDue()).toBe(price);
  });

  it('is not asked for while another amount is open', async () => {
    const { id: subscriptionId, chainCreatedAt: periodStart, startedAt: dueAt } = subscription;
    const open = 2n * PRICE;
    const data = {
      subscriptionId,
      ...merchant.scope,
      periodStart,
      dueAt,
      amount: open,
      status: 'DUE',
      lines: [{ kind: 'FLAT', text: plan.name, amount: String(open) }],
    } as const;
    await db.payment.create({ data });
    expect(await topUp(open - 1n)).toBe(0);
    expect(await topUp(open)).toBe(1);
  });
});

it('a balance is shared out by the own price of each subscription', async () => {
  const wallet = world.newWallet();
  await subscribe(PRICE, 3n * PRICE, wallet);
  const first = subscription;
  // It has waited longest.
  const earlier = new Date(first.nextPaymentAt.getTime() - 1_000);
  await db.subscription.update({ where: { id: first.id }, data: { nextPaymentAt: earlier } });
  await subscribe(2n * PRICE, PRICE, wallet);
  const { tokenAccount, address } = subscription;
  expect(tokenAccount).toBe(first.tokenAccount);
  const both = { tokenAccount, slot: 0n, subscriptions: [first.address, address], isFirstLook: false };
  expect(await countRetried({ ...both, balance: 3n * PRICE - 1n })).toBe(1);
  const claimable = await db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
  expect(claimable.nextAttemptAt).toEqual(subscription.nextAttemptAt);
  await db.subscription.update({ where: { id: first.id }, data: { nextAttemptAt: later() } });
  expect(await countRetried({ ...both, balance: 3n * PRICE })).toBe(2);
});

it.each([
  ['is due only later', () => ({ nextPaymentAt: later() })],
  ['ends', () => ({ cancelAtPeriodEnd: true })],
  [
    "is of a chain's period that is over",
    ({ nextPaymentAt, chainCreatedAt }: Subscription) => ({
      nextPaymentAt: new Date(nextPaymentAt.getTime() - 2 * DAY * 1_000),
      chainCreatedAt: chainCreatedAt - 2n * BigInt(DAY),
    }),
  ],
] as const)('a balance is not shared with a payment that %s', async (_, change) => {
  const wallet = world.newWallet();
  await subscribe(PRICE, PRICE, wallet);
  const first = subscription;
  await db.subscription.update({ where: { id: first.id }, data: change(first) });
  await subscribe(PRICE, PRICE, wallet);
  const { tokenAccount, address } = subscription;
  const both = { tokenAccount, slot: 0n, subscriptions: [first.address, address], isFirstLook: false };
  expect(await countRetried({ ...both, balance: PRICE })).toBe(1);
  const { nextAttemptAt } = await db.subscription.findUniqueOrThrow({ where: { id: first.id } });
  expect(nextAttemptAt).toEqual(first.nextAttemptAt);
});

it('a balance is first for a due payment of the same account', async () => {
  const wallet = world.newWallet();
  await subscribe(PRICE, PRICE, wallet);
  const due = { status: 'ACTIVE', failureCount: 0, nextAttemptAt: ctx.clock.now() } as const;
  await db.subscription.update({ where: { id: subscription.id }, data: due });
  await subscribe(PRICE, PRICE, wallet);
  const { tokenAccount, address } = subscription;
  const facts = { tokenAccount, slot: 0n, subscriptions: [address], isFirstLook: true };
  // Another attempt would fail, and count.
  expect(await retryNow(ctx, 'TEST', { ...facts, balance: PRICE })).toEqual({ count: 0, isAttempting: true });
  expect(await countRetried({ ...facts, balance: 2n * PRICE })).toBe(1);
});

it('payments that are retried are watched first, then the newest that wait', async () => {
  const accounts: string[] = [];
  for (const waitsSince of [3, 1, null]) {
    await subscribe(PRICE, PRICE);
    const accessUntil = waitsSince === null ? null : new Date(waitsSince);
    await db.subscription.update({ where: { id: subscription.id }, data: { accessUntil } });
    accounts.push(subscription.tokenAccount);
  }
  const [newer, older, retried] = accounts;
  const watched = await watchedTokenAccounts(ctx, 'TEST');
  expect(watched.filter((account) => accounts.includes(account))).toEqual([retried, newer, older]);
});
