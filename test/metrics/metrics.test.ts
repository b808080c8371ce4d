import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysBetween } from '../../src/domain/insight/metrics/days.ts';
import { foldChanges } from '../../src/domain/insight/metrics/fold-changes.ts';
import { getMetrics } from '../../src/domain/insight/metrics/get-metrics.ts';
import { periodTotal, previousRange } from '../../src/domain/insight/metrics/period-total.ts';
import { planTotals } from '../../src/domain/insight/metrics/plan-changes.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { refusal, startWorld } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { createPlans, histories, playHistory, refund, START, type Step } from './history.ts';
import { replay } from './replay.ts';

let serial = 0;
const world = await sharedByFile(startWorld());

const newScope = async () => {
  const merchant = { companyName: 'Acme', walletAddress: `metrics-${++serial}` };
  const { id: merchantId } = await world.db.merchant.create({ data: merchant });
  return { merchantId, environment: 'TEST' as const };
};

/** Reads a plan's days from the database, in the form of a replay. */
const readTotals = async (plan: Plan, range: { from: string; to: string }, now: Date) => {
  const ctx = { db: world.db, clock: { now: () => now } };
  const { days } = await getMetrics(ctx, plan, { ...range, planId: plan.planId });
  return days.map(({ day: _, mrr, mrrMovement: __, collected, recoveredAmount, refunded, ...counts }) => ({
    ...counts,
    collected: collected[0]?.amount ?? 0n,
    refunded: refunded[0]?.amount ?? 0n,
    recoveredAmount: recoveredAmount[0]?.amount ?? 0n,
    mrr: mrr[0]?.amount ?? 0n,
  }));
};

/** Expects the total of a range to be that of its days, after the days of the range before it. */
const expectTotal = async (plan: Plan, range: { from: string; to: string }, now: Date) => {
  const ctx = { db: world.db, clock: { now: () => now } };
  const earlier = previousRange({ ...range, planId: plan.planId });
  const before = (await getMetrics(ctx, plan, earlier)).days;
  const { days } = await getMetrics(ctx, plan, { ...range, planId: plan.planId });
  expect(before.length).toBe(days.length);
  const total = periodTotal(days);
  for (const name of [
    'new',
    'resumed',
    'churned',
    'expired',
    'recovered',
    'failed',
    'paid',
    'refunds',
  ] as const) {
    expect(total[name]).toBe(days.reduce((sum, day) => sum + day[name], 0));
  }
  for (const name of ['collected', 'refunded', 'recoveredAmount'] as const) {
    const amounts = days.map((day) => day[name][0]?.amount ?? 0n);
    expect(total[name][0]?.amount ?? 0n).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
  }
  const atStart = (before.at(-1)?.active ?? 0) + (before.at(-1)?.pastDue ?? 0);
  expect(total.churnRate).toBe(atStart > 0 ? total.churned / atStart : null);
};

it('the previous range has the same length and ends the day before', () => {
  expect(previousRange({ from: '2026-03-01', to: '2026-03-01' })).toMatchObject({
    from: '2026-02-28',
    to: '2026-02-28',
  });
  expect(previousRange({ from: '2026-01-31', to: '2026-03-01', planId: 'pro' })).toEqual({
    from: '2026-01-01',
    to: '2026-01-30',
    planId: 'pro',
  });
});

it('the metrics match the events of any history, folded or not', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.nat({ max: 6 }), async (history, skipped) => {
      const scope = await newScope();
      const plans = await createPlans(world.db, scope);
      const now = await playHistory(world.ctx, plans, history);
      const today = now.toISOString().slice(0, 10);
      const first = new Date(START + skipped * 86_400_000).toISOString().slice(0, 10);
      const range = { from: [first, today].sort()[0] ?? today, to: today };
      const days = daysBetween(range.from, range.to, today);
      const events = await world.db.event.findMany({ where: scope, include: { subscription: true } });
      for (const plan of plans) {
        const own = events.filter(({ subscription }) => subscription?.planId === plan.id);
        const replayed = replay(own, plan, days);
        expect(await readTotals(plan, range, now)).toEqual(replayed);
        await foldChanges(world.ctx);
        expect(await readTotals(plan, range, now)).toEqual(replayed);
        await expectTotal(plan, range, now);
      }
    }),
    { numRuns: 25 },
  );
});

it('refunds at the same time are all counted, while other changes are folded', async () => {
  const [plan] = await createPlans(world.db, await newScope());
  if (!plan) throw new Error('No plan');
  const indexes = Array.from({ length: 12 }, (_, index) => index);
  const steps = (action: Step['action']) => indexes.map((choice) => ({ hours: 0, action, choice }));
  const now = await playHistory(world.ctx, [plan], [...steps('subscribe'), ...steps('pay')]);
  const subscriptions = await world.db.subscription.findMany({ where: { planId: plan.id } });
  const ctx = { ...world.ctx, clock: { now: () => now } };
  await Promise.all([
    ...subscriptions.map(({ id }) => refund(ctx, id)),
    ...indexes.map(() => foldChanges(world.ctx)),
  ]);
  const today = now.toISOString().slice(0, 10);
  const counted = { paid: 12, refunds: 12, refunded: 12n * (plan.amount / 3n) };
  expect(await readTotals(plan, { from: today, to: today }, now)).toMatchObject([counted]);
});

it('subscribers and revenue of a plan match its rows, also with partly paid', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const scope = await newScope();
      const plans = await createPlans(world.db, scope);
      await playHistory(world.ctx, plans, history);
      const totals = await planTotals(
        world.db,
        plans.map(({ id }) => id),
      );
      for (const { id } of plans) {
        const count = (status: 'ACTIVE' | 'PAST_DUE' | 'CANCELLED' | 'EXPIRED') =>
          world.db.subscription.count({ where: { planId: id, status } });
        const paid = await world.db.payment.aggregate({
          where: { planId: id, status: 'SUCCEEDED' },
          _sum: { paidAmount: true },
          _count: true,
        });
        expect(
          totals.get(id) ?? { active: 0, pastDue: 0, cancelled: 0, expired: 0, paid: 0, collected: 0n },
        ).toMatchObject({
          active: await count('ACTIVE'),
          pastDue: await count('PAST_DUE'),
          cancelled: await count('CANCELLED'),
          expired: await count('EXPIRED'),
          paid: paid._count,
          collected: paid._sum.paidAmount ?? 0n,
        });
      }
    }),
    { numRuns: 10 },
  );
});

it('all plans together are the sum of the merchant’s plans, by asset', async () => {
  const scope = await newScope();
  const plans = await createPlans(world.db, scope);
  const history = [0, 1, 2, 3].map((choice) => ({ hours: 1, action: 'subscribe' as const, choice }));
  const now = await playHistory(world.ctx, plans, history);
  const ctx = { db: world.db, clock: { now: () => now } };
  const range = { from: '2026-01-01', to: '2026-01-01' };
  const { days, plans: byPlan } = await getMetrics(ctx, scope, range);
  expect(days).toEqual([
    expect.objectContaining({
      day: '2026-01-01',
      active: 4,
      new: 4,
      churned: 0,
      mrr: [
        // 2 x 1.000001 per day; 2 x 999 every seven hours, rounded down to a unit.
        { mint: 'gold', amount: 60_000_060n },
        { mint: 'silver', amount: 205_508n },
      ],
    }),
  ]);
  expect(byPlan.map(({ plan, days: [day] }) => [plan.planId, day?.active])).toEqual([
    ['daily', 2],
    ['odd', 2],
  ]);
  for (const other of [await newScope(), { ...scope, environment: 'LIVE' as const }]) {
    expect(await getMetrics(ctx, other, range)).toMatchObject({ days: [{ active: 0, mrr: [] }], plans: [] });
  }
  expect(await refusal(getMetrics(ctx, await newScope(), { ...range, planId: 'daily' }))).toEqual({
    code: 'not_found',
    param: 'planId',
  });
});

it('revenue may exceed 64 bits, and a plan that cannot be folded delays no other', async () => {
  const scope = await newScope();
  const [big, broken] = await createPlans(world.db, scope);
  const day = new Date('2026-01-01');
  const max = 2n ** 63n - 1n;
  const change = { planId: big?.id ?? '', day, paid: 1, collected: String(max) };
  await world.db.planDayChange.createMany({ data: [change, change, change] });
  await world.db.planDay.create({ data: { planId: broken?.id ?? '', day, failed: 2_147_483_647 } });
  await world.db.planDayChange.create({ data: { planId: broken?.id ?? '', day, failed: 1 } });
  await foldChanges(world.ctx);
  const remaining = await world.db.planDayChange.findMany({
    where: { planId: { in: [big?.id ?? '', broken?.id ?? ''] } },
  });
  expect(remaining.map(({ planId }) => planId)).toEqual([broken?.id]);
  const totals = await planTotals(world.db, [big?.id ?? '']);
  expect(totals.get(big?.id ?? '')).toMatchObject({ paid: 3, collected: 3n * max });
  await world.db.planDayChange.deleteMany({ where: { planId: broken?.id ?? '' } });
});

it('metrics of too many plans are refused', async () => {
  const scope = await newScope();
  const [plan] = await createPlans(world.db, scope);
  await world.db.$executeRaw`
    INSERT INTO "Plan" SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(),
      'planId', 'plan-' || n, 'address', gen_random_uuid(), 'chainPlanId', p."chainPlanId" + 1000 + n))).*
    FROM "Plan" p, generate_series(1, 54) n WHERE p."id" = ${plan?.id}::uuid`;
  await world.db.$executeRaw`
    INSERT INTO "PlanDay" ("planId", "day") SELECT "id", '2025-01-01' FROM "Plan"
    WHERE "merchantId" = ${scope.merchantId}::uuid`;
  const ctx = { db: world.db, clock: { now: () => new Date('2026-01-07T12:00:00Z') } };
  const year = { from: '2025-01-07', to: '2026-01-07' };
  expect(await refusal(getMetrics(ctx, scope, year))).toEqual({ code: 'invalid_request', param: 'to' });
  const month = await getMetrics(ctx, scope, { from: '2025-12-07', to: '2026-01-07' });
  expect(month.plans).toHaveLength(56);
});

it.each([
  ['from', { from: 'yesterday', to: '2026-01-01' }],
  ['from', { from: '2026-02-30', to: '2026-03-01' }],
  ['from', { from: '1999-01-01', to: '2026-01-01' }],
  ['to', { from: '2026-01-02', to: '2026-01-01' }],
  ['to', { from: '2025-01-01', to: '2026-01-02' }],
  ['to', { from: '2026-01-01', to: '2026-01-08' }],
])('metrics name %s as wrong in %j', async (param, range) => {
  const ctx = { db: world.db, clock: { now: () => new Date('2026-01-07T12:00:00Z') } };
  const scope = await newScope();
  expect(await refusal(getMetrics(ctx, scope, range))).toEqual({ code: 'invalid_request', param });
});
