import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysBetween } from '../../src/domain/insight/metrics/days.ts';
import { foldChanges } from '../../src/domain/insight/metrics/fold-changes.ts';
import { getMetrics } from '../../src/domain/insight/metrics/get-metrics.ts';
import { type MrrMovement, NO_MOVEMENT, netOf } from '../../src/domain/insight/metrics/mrr-movement.ts';
import { wrongRows } from '../../src/domain/maintenance/books-check/rows/check-rows.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { seedCustomer, seedPlan, subscriptionRow } from '../../tools/world/rows.ts';
import { startWorld } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { createPlans, histories, playHistory, START } from './history.ts';

let serial = 0;
const world = await sharedByFile(startWorld());

const newScope = async () => {
  const merchant = { companyName: 'Acme', walletAddress: `mrr-${++serial}` };
  const { id: merchantId } = await world.db.merchant.create({ data: merchant });
  return { merchantId, environment: 'TEST' as const };
};
type Scope = Awaited<ReturnType<typeof newScope>>;

const mrrOf = (plan: Plan) => (plan.amount * 2_592_000n) / BigInt(plan.intervalSeconds);

/** The movements by plan and day, from the transitions alone. */
async function replayMovements(scope: Scope, plans: readonly Plan[]) {
  const transitions = await world.db.subscriptionTransition.findMany({
    where: { subscription: scope },
    include: { subscription: true },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  });
  const wallets = new Map<string, bigint>();
  const byDay = new Map<string, MrrMovement>();
  for (const { from, to, at, subscription } of transitions) {
    const isCounted = (status: string | null) => status === 'ACTIVE' || status === 'PAST_DUE';
    if (isCounted(from) === isCounted(to)) continue;
    const plan = plans.find(({ id }) => id === subscription.planId) as Plan;
    const key = `${subscription.walletAddress} ${plan.mint}`;
    const before = wallets.get(key);
    const amount = (before ?? 0n) + (isCounted(to) ? mrrOf(plan) : -mrrOf(plan));
    wallets.set(key, amount);
    const rising = before === undefined ? 'new' : before === 0n ? 'reactivation' : 'expansion';
    const name = isCounted(to) ? rising : amount === 0n ? 'churn' : 'contraction';
    const day = `${plan.id} ${at.toISOString().slice(0, 10)}`;
    const movement = byDay.get(day) ?? NO_MOVEMENT;
    byDay.set(day, { ...movement, [name]: movement[name] + mrrOf(plan) });
  }
  return byDay;
}

it('the movements of any history follow its transitions, and add up to the revenue', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const scope = await newScope();
      const plans = [
        ...(await createPlans(world.db, scope)),
        await seedPlan(world.db, scope, {
          planId: 'monthly',
          amount: 10_000_000n,
          intervalSeconds: 2_628_000,
          mint: 'gold',
          chainPlanId: 9n,
          createdAt: new Date(START + 9),
        }),
      ];
      const now = await playHistory(world.ctx, plans, history);
      const today = now.toISOString().slice(0, 10);
      const days = daysBetween(new Date(START).toISOString().slice(0, 10), today, today);
      const range = { from: days[0] ?? today, to: today };
      const expected = await replayMovements(scope, plans);
      const read = () => getMetrics({ db: world.db, clock: { now: () => now } }, scope, range);
      const unfolded = await read();
      for (const { plan, days } of unfolded.plans) {
        let before = 0n;
        for (const { day, mrr, mrrMovement, active, pastDue } of days) {
          const { mint: _, ...movement } = mrrMovement[0] ?? { mint: '', ...NO_MOVEMENT };
          expect(movement).toEqual(expected.get(`${plan.id} ${day}`) ?? NO_MOVEMENT);
          expect(mrr[0]?.amount).toBe(before + netOf(movement));
          expect(mrr[0]?.amount).toBe(BigInt(active + pastDue) * mrrOf(plan));
          before = mrr[0]?.amount ?? 0n;
        }
      }
      await foldChanges(world.ctx);
      expect(await read()).toEqual(unfolded);
      const problems = await wrongRows(world.db, { ...scope, now });
      expect(problems.filter(({ name }) => name.startsWith('mrr.'))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

it('a change of plan is the difference; the rest has moved between the plans', async () => {
  const scope = await newScope();
  const terms = { intervalSeconds: 2_592_000, mint: 'gold' };
  const basic = await seedPlan(world.db, scope, { ...terms, planId: 'basic', amount: 10n, chainPlanId: 1n });
  const pro = await seedPlan(world.db, scope, { ...terms, planId: 'pro', amount: 25n, chainPlanId: 2n });
  const customer = await seedCustomer(world.db, scope);
  const at = new Date(START);
  const subscribe = (plan: Plan) =>
    world.db.subscription.create({ data: subscriptionRow(plan, customer, at) });
  const [first, second] = [await subscribe(basic), await subscribe(pro)];
  const started = { from: null, to: 'ACTIVE', reason: 'subscribed', at } as const;
  await world.db.subscriptionTransition.create({ data: { subscriptionId: first.id, ...started } });
  await world.db.subscriptionTransition.createMany({
    data: [
      { subscriptionId: first.id, from: 'ACTIVE', to: 'CANCELLED', reason: 'plan_changed', at },
      { subscriptionId: second.id, ...started },
    ],
  });
  const range = { from: at.toISOString().slice(0, 10), to: at.toISOString().slice(0, 10) };
  const { days, plans } = await getMetrics({ db: world.db, clock: { now: () => at } }, scope, range);
  const movements = new Map(plans.map(({ plan, days }) => [plan.planId, days[0]?.mrrMovement[0]]));
  expect(movements.get('basic')).toEqual({ mint: 'gold', ...NO_MOVEMENT, new: 10n, moved: -10n });
  expect(movements.get('pro')).toEqual({ mint: 'gold', ...NO_MOVEMENT, expansion: 15n, moved: 10n });
  expect(days[0]?.mrr).toEqual([{ mint: 'gold', amount: 25n }]);
  expect(days[0]?.mrrMovement).toEqual([{ mint: 'gold', ...NO_MOVEMENT, new: 10n, expansion: 15n }]);
});

it('another price of a subscription is an expansion or a contraction', async () => {
  const scope = await newScope();
  const terms = { planId: 'basic', intervalSeconds: 2_592_000, chainPlanId: 1n };
  const plan = await seedPlan(world.db, scope, { ...terms, amount: 10n, maxAmount: 40n });
  const customer = await seedCustomer(world.db, scope);
  const at = new Date(START);
  const { id } = await world.db.subscription.create({ data: subscriptionRow(plan, customer, at) });
  const started = { subscriptionId: id, from: null, to: 'ACTIVE', reason: 'subscribed', at } as const;
  await world.db.subscriptionTransition.create({ data: started });
  const changeTo = async (amount: bigint, version: number) => {
    const row = { id: randomUUID(), planId: plan.id, version, amount };
    const price = await world.db.price.create({ data: row });
    return world.db.subscription.update({ where: { id }, data: { priceId: price.id } });
  };
  expect(Number((await changeTo(25n, 2)).mrr)).toBe(25);
  expect(Number((await changeTo(20n, 3)).mrr)).toBe(20);
  await world.db.subscription.update({ where: { id }, data: { status: 'EXPIRED', nextAttemptAt: null } });
  const expired = {
    subscriptionId: id,
    from: 'ACTIVE',
    to: 'EXPIRED',
    reason: 'too_many_failures',
    at,
  } as const;
  await world.db.subscriptionTransition.create({ data: expired });
  expect(Number((await changeTo(40n, 4)).mrr)).toBe(40);
  const changes = await world.db.mrrChange.findMany({ where: { planId: plan.id }, orderBy: { id: 'asc' } });
  expect(
    changes.map((change) => [change.new, change.expansion, change.contraction, change.churn].map(Number)),
  ).toEqual([
    [10, 0, 0, 0],
    [0, 15, 0, 0],
    [0, 0, 5, 0],
    [0, 0, 0, 20],
  ]);
  const problems = await wrongRows(world.db, { ...scope, now: at });
  expect(problems.filter(({ name }) => name.startsWith('mrr.'))).toEqual([]);
});
