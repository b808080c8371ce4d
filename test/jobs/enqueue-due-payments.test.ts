import type { Queue } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  claimDue,
  countDue,
  firstTurn,
  partOf,
  renewClaim,
} from '../../src/domain/billing/collect/claim-due.ts';
import { enqueueDuePayments } from '../../src/domain/billing/collect/enqueue-due-payments.ts';
import { OpenClaims } from '../../src/domain/billing/collect/open-claims.ts';
import { LINE_SOURCES } from '../../src/domain/billing/price/line-sources.ts';
import { dueTimeFromId } from '../../src/domain/billing/schedule/enqueue-payments.ts';
import type { JobName } from '../../src/jobs/catalog.ts';
import { seedCustomer, seedPlan, seedScope } from '../../tools/world/rows.ts';
import { SOON } from '../support/soon.ts';
import { machineClock, type TestContext, testContext } from './context.ts';
import { type OpenStore, storesHere } from './stores.ts';

describe.each(storesHere('due payments'))('the jobs of due payments on $name', ({ open }) => {
  let store: OpenStore;
  let ctx: TestContext;
  let merchantId: string;

  beforeAll(async () => {
    store = await open();
    ctx = testContext(store);
    // Opening all queues may take longer than one call may.
    await vi.waitFor(() => ctx.jobs.depths(), SOON);
    const scope = await seedScope(ctx.db);
    ({ merchantId } = scope);
    await seedPlan(ctx.db, scope, { status: 'ACTIVE', chainCreatedAt: 0n });
    await seedCustomer(ctx.db, scope);
  });
  afterEach(async () => {
    await ctx.db.$executeRaw`DELETE FROM "Subscription"`;
    await store.wipe();
  });
  afterAll(async () => {
    await ctx.close();
    await store.close();
  });

  /** Creates `count` subscriptions whose payments are due after `afterMs`, of one merchant or of each of some. */
  const createDue = (
    count: number,
    afterMs: number,
    fields: { status?: string; claimedForMs?: number; lineSources?: number; of?: readonly string[] } = {},
  ) => {
    const now = ctx.clock.now().getTime();
    const { status = 'ACTIVE', claimedForMs, lineSources = 0, of = [merchantId] } = fields;
    const at = new Date(now + afterMs);
    const claimedUntil = claimedForMs === undefined ? null : new Date(now + claimedForMs);
    return ctx.db.$executeRaw`
      INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
        "walletAddress", "tokenAccount", "startedAt", "nextPaymentAt", "nextAttemptAt", "claimedUntil", "status", "failureCount",
        "lineSources")
      SELECT gen_random_uuid(), m."id", 'TEST', p."id", c."id", gen_random_uuid()::text, 0, 'wallet', 'account',
        ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${claimedUntil}::timestamptz,
        ${status}::"SubscriptionStatus", ${status === 'PAST_DUE' ? 1 : 0}::int, ${lineSources}::int
      FROM unnest(${of}::uuid[]) AS m("id"), "Plan" p, "Customer" c, generate_series(1, ${count}::int)`;
  };
  const createMerchants = async (count: number) => {
    const data = Array.from({ length: count }, (_, index) => {
      return { companyName: 'Small', walletAddress: `small-${index}` };
    });
    return (await ctx.db.merchant.createManyAndReturn({ data })).map(({ id }) => id);
  };
  /** The jobs as pairs: the time in milliseconds from now, and the share. */
  const readJobs = async (name: JobName) => {
    const queue = (await ctx.jobs.queues()).find(({ job }) => job === name)?.queue as Queue;
    const jobs = await queue.getJobs(['delayed', 'waiting']);
    return jobs
      .map(({ id, data }) => [dueTimeFromId(id) - ctx.clock.now().getTime(), data.share])
      .sort(([a, shareOfA], [b, shareOfB]) => a - b || shareOfA - shareOfB);
  };
  const enqueue = () => enqueueDuePayments(ctx, 'TEST');

  it('are one per date and thousand payments, even if they are enqueued repeatedly', async () => {
    await createDue(1_001, 30_000);
    await createDue(3, 30_040);
    await createDue(1, 119_990);
    await createDue(1, 121_000);
    await Promise.all([enqueue(), enqueue()]);
    await enqueue();
    expect(await readJobs('payments.collect')).toEqual([
      [30_000, 0],
      [30_000, 1],
      [30_100, 0],
      [120_000, 0],
    ]);
    expect(await readJobs('payments.retry')).toEqual([]);
  });

  it('are added again after a jump of the clock: the earlier ones would wait too long', async () => {
    await createDue(1, 30_000);
    await enqueue();
    const jumped = { ...ctx, clock: { now: () => ctx.clock.now(), jumps: 1 } };
    await enqueueDuePayments(jumped, 'TEST');
    await enqueueDuePayments(jumped, 'TEST');
    expect(await readJobs('payments.collect')).toEqual([
      [30_000, 0],
      [30_000, 0],
    ]);
  });

  it('run now if they are due, and at the end of their claim if they are claimed', async () => {
    await createDue(1, -60_000);
    await createDue(1, -60_000, { claimedForMs: 20_000 });
    await createDue(1, -60_000, { claimedForMs: -1 });
    await enqueue();
    expect(await readJobs('payments.collect')).toEqual([
      [100, 0],
      [20_000, 0],
    ]);
  });

  it('are left to workers that know what they consist of', async () => {
    const ofLaterRelease = 1 << 30;
    await createDue(2, -60_000, { lineSources: LINE_SOURCES.PRICE });
    await createDue(3, -60_000, { lineSources: LINE_SOURCES.PRICE | ofLaterRelease });
    expect(await countDue(ctx, 'TEST', 10)).toBe(2);
    const claim = await claimDue(ctx, 'TEST', 10);
    expect(claim.subscriptionIds).toHaveLength(2);
    expect(await claimDue(ctx, 'TEST', 10)).toMatchObject({ subscriptionIds: [] });
    await ctx.db.subscription.updateMany({ data: { claimedUntil: null } });
    await ctx.db.subscription.updateMany({ data: { nextAttemptAt: null }, where: { lineSources: 1 } });
    await enqueue();
    expect(await readJobs('payments.collect')).toEqual([]);
  });

  describe('of several merchants, if more are due than a claim takes', () => {
    let merchants: readonly string[];
    beforeAll(async () => {
      merchants = await createMerchants(60);
    });

    /** The merchants of a claim, and how many payments of each it has. */
    const claim = async (limit: number, turn = firstTurn()) => {
      const { subscriptionIds } = await claimDue(ctx, 'TEST', limit, turn);
      const rows = await ctx.db.subscription.groupBy({
        by: ['merchantId'],
        where: { id: { in: [...subscriptionIds] } },
        _count: true,
      });
      return new Map(rows.map(({ merchantId, _count }) => [merchantId, _count]));
    };
    const leastOverdue = () =>
      ctx.db.subscription.findFirstOrThrow({
        where: { merchantId, claimedUntil: { not: null } },
        orderBy: { nextAttemptAt: 'desc' },
      });

    it('are claimed in equal shares, and the rest by due time', async () => {
      const [small = '', medium = ''] = merchants;
      await createDue(300, -60_000);
      await createDue(300, -30_000);
      await createDue(7, -1, { of: [small], status: 'PAST_DUE' });
      await createDue(90, -1, { of: [medium] });
      expect(await claim(228)).toEqual(
        new Map([
          [merchantId, 145],
          [small, 7],
          [medium, 76],
        ]),
      );
      const { nextAttemptAt } = await leastOverdue();
      expect(nextAttemptAt?.getTime()).toBeLessThan(ctx.clock.now().getTime() - 59_000);
      expect(await claim(228)).toEqual(
        new Map([
          [merchantId, 214],
          [medium, 14],
        ]),
      );
    });

    it('are claimed by due time if everything due fits', async () => {
      await createDue(150, -60_000);
      await createDue(3, -1, { of: merchants.slice(0, 20) });
      expect((await claim(228)).get(merchantId)).toBe(150);
    });

    it('are claimed from 57 merchants at once, and from the others next', async () => {
      await createDue(300, -60_000);
      await createDue(50, -1, { of: merchants });
      const turn = firstTurn();
      const [first, second] = [await claim(228, turn), await claim(228, turn)];
      expect([...first.values()]).toEqual(Array(57).fill(4));
      const others = merchants.filter((id) => !first.has(id));
      expect([...second.keys()]).toEqual(expect.arrayContaining(others));
      expect([...second.values()].reduce((sum, count) => sum + count)).toBe(228);
    });

    it('are each claimed once by workers that claim at the same time', async () => {
      await createDue(500, -60_000);
      await createDue(5, -1, { of: merchants });
      const claims = await Promise.all(Array.from({ length: 4 }, () => claimDue(ctx, 'TEST', 228)));
      const ids = claims.flatMap(({ subscriptionIds }) => subscriptionIds);
      expect(new Set(ids).size).toBe(ids.length);
      while (true) {
        const { subscriptionIds } = await claimDue(ctx, 'TEST', 228);
        if (subscriptionIds.length === 0) break;
        ids.push(...subscriptionIds);
      }
      expect(new Set(ids).size).toBe(800);
      expect(ids).toHaveLength(800);
    });
  });

  it('are claimed for a minute by one of several workers whose clocks differ', async () => {
    const [ahead, behind] = [5, -5].map((minutes) => ({ ...ctx, clock: machineClock(minutes * 60_000) })) as [
      TestContext,
      TestContext,
    ];
    const claims = async (worker: TestContext) => (await claimDue(worker, 'TEST', 10)).subscriptionIds.length;
    const hourAgoMs = Date.now() - ctx.clock.now().getTime() - 3_600_000;
    for (const [first, second] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      await createDue(1, hourAgoMs);
      expect([await claims(first), await claims(second)]).toEqual([1, 0]);
      await ctx.db
        .$executeRaw`UPDATE "Subscription" SET "claimedUntil" = "claimedUntil" - interval '1 minute'`;
      expect([await claims(second), await claims(first)]).toEqual([1, 0]);
      await ctx.db.$executeRaw`DELETE FROM "Subscription"`;
    }
  });

  it('are released by a worker that stops, also if they were renewed', async () => {
    await createDue(3, -1);
    const claim = await claimDue(ctx, 'TEST', 3);
    const claims = new OpenClaims();
    claims.take(claim);
    const [first = '', ...others] = claim.subscriptionIds;
    const [renewed] = [partOf(claim, [first]), partOf(claim, others)];
    ctx.clock.advance(30_000);
    await renewClaim(ctx, renewed);
    await claims.releaseAll(ctx);
    expect(await ctx.db.subscription.count({ where: { claimedUntil: null } })).toBe(3);
  });

  it('are jobs of the retry queue if they failed before', async () => {
    await createDue(1, 5_000, { status: 'PAST_DUE' });
    await enqueue();
    expect(await readJobs('payments.retry')).toEqual([[5_000, 0]]);
    expect(await readJobs('payments.collect')).toEqual([]);
  });

  it('are at most sixteen, made from the first 50,000 due ones', async () => {
    await createDue(50_000, -1);
    await createDue(1, 10_000);
    await enqueue();
    expect(await readJobs('payments.collect')).toEqual(
      Array.from({ length: 16 }, (_, share) => [100, share]),
    );
  });

  it('are searched for among 5,000 merchants per claim', async () => {
    const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    await ctx.db.$executeRaw`
      INSERT INTO "Merchant" ("id", "companyName", "walletAddress")
      SELECT gen_random_uuid(), 'Idle', 'idle-' || i FROM generate_series(1, 5000) i
      UNION ALL SELECT ${last}::uuid, 'Last', 'last'`;
    await createDue(300, -60_000);
    await createDue(2, -1, { of: [last] });
    const turn = firstTurn();
    const claimed = async () => {
      const { subscriptionIds } = await claimDue(ctx, 'TEST', 100, turn);
      return ctx.db.subscription.count({ where: { id: { in: [...subscriptionIds] }, merchantId: last } });
    };
    expect([await claimed(), await claimed()]).toEqual([0, 2]);
  });
});
