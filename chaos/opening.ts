import type { Address } from '@solana/kit';
import {
  insertSubscriptions,
  type SeededTerms,
  writeSubscription,
} from '../tools/world/seed-subscriptions.ts';
import { Customers, FULL_BALANCE } from './customers.ts';
import { createDiscounts } from './discounts.ts';
import { ChaosRefunds } from './refunds.ts';
import { DAY_SECONDS, PLANS, PRICE, type RunSchedule } from './schedule.ts';
import { Strangers } from './strangers.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

const HOUR_SECONDS = 3_600;
/** Time to create all customers before the first payments become due. */
const OPENING_SECONDS = 600;

/**
 * Publishes the plans and creates the customers. The returned `begin` moves the time to the first
 * due date.
 */
export async function openRun(
  world: ChaosWorld,
  schedule: RunSchedule,
): Promise<{
  readonly customers: Customers;
  readonly refunds: ChaosRefunds;
  readonly strangers: Strangers;
  readonly merchants: readonly ChaosMerchant[];
  begin(): Promise<void>;
}> {
  const merchants = await world.createMerchants();
  for (const { merchant, planId, every, limit: maxAmount, spreadSeconds: collectWithinSeconds } of PLANS) {
    const intervalSeconds = every * DAY_SECONDS;
    const terms = {
      planId,
      amount: PRICE,
      maxAmount,
      intervalSeconds,
      maxPausedPeriods: 1,
      collectWithinSeconds,
    };
    await merchants[merchant]?.backend.publishPlan(terms);
  }
  await Promise.all(merchants.map(createDiscounts));
  const rows = await world.db.plan.findMany({ include: { merchant: true } });
  for (const { planId, address, merchant } of rows) {
    merchants
      .find(({ wallet }) => wallet.address === merchant.walletAddress)
      ?.plans.set(planId, address ?? '');
  }
  const customers = new Customers(world, merchants, schedule);
  const refunds = new ChaosRefunds(world, customers, schedule.refunds);
  const strangers = new Strangers(world, merchants, customers, schedule.strangers);
  await Promise.all([customers.fund(), refunds.fund()]);
  const startedAt = Math.floor(world.network.nowMs() / 1000) + OPENING_SECONDS;
  const seeded = customers.all.filter(({ member }) => member.entry === 'seeded');
  await Promise.all(
    seeded.map(async (customer) => {
      const row = rows.find(({ address }) => address === customer.merchant.plans.get(customer.plan.planId));
      if (!row) throw new Error(`plan ${customer.plan.planId} is not in the database`);
      const terms: SeededTerms = {
        plan: row.address as Address,
        amount: row.maxAmount,
        periodHours: BigInt(row.intervalSeconds / HOUR_SECONDS),
        createdAt: row.chainCreatedAt ?? 0n,
      };
      const wallet = customer.app.address as Address;
      await writeSubscription(world.network.client, terms, { wallet, startedAt, balance: FULL_BALANCE });
      customer.creations.push(startedAt);
    }),
  );
  for (const { id, merchantId, address } of rows) {
    const subscribers = seeded.filter(
      ({ merchant, plan: { planId } }) => merchant.plans.get(planId) === address,
    );
    const subscriptions = subscribers.map(({ app, subscription }) => ({
      wallet: app.address as Address,
      address: subscription as Address,
    }));
    const scope = { merchantId, environment: 'TEST' as const, planId: id };
    await insertSubscriptions(world.db, scope, subscriptions, startedAt);
  }
  const begin = () => world.travel(startedAt - world.network.nowMs() / 1000 + 1);
  return { customers, refunds, strangers, merchants, begin };
}
