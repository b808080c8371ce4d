import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { lockRelay, takeNewEvents } from '../../src/domain/event/take-new-events.ts';
import { type TestContext, testContext } from '../jobs/context.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { seedSubscriptions } from './seed.ts';

describe('positions of events', () => {
  let ctx: TestContext;
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  const streams: { merchantId: string; subscriptionIds: string[] }[] = [];

  beforeAll(async () => {
    database = await cloneDatabase(inject('templateDatabaseUrl'));
    ctx = testContext({ databaseUrl: database.url });
    for (const walletAddress of ['one', 'two']) {
      const { id: merchantId } = await ctx.db.merchant.create({
        data: { companyName: 'Acme', walletAddress },
      });
      const scope = { merchantId, environment: 'TEST' as const };
      await seedSubscriptions(ctx.db, scope, 3, merchantId);
      const rows = await ctx.db.subscription.findMany({ where: scope });
      streams.push({ merchantId, subscriptionIds: rows.map(({ id }) => id) });
    }
  });
  afterAll(async () => {
    await ctx.close();
    await database.drop();
  });

  const take = (limit: number) =>
    ctx.db.$transaction(async (tx) => {
      await lockRelay(tx);
      return takeNewEvents(tx, ctx.clock.now(), limit);
    });

  /** Committed by whoever had the subscription's lock; ids and times are of machines that disagree. */
  const recorded = fc.record({
    stream: fc.nat({ max: 1 }),
    subscription: fc.option(fc.nat({ max: 2 })),
    id: fc.uuid(),
    age: fc.nat({ max: 3 }),
  });

  it('have no gap, and go along with the sequence, whatever ids and clocks say and wherever a batch ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(recorded, { maxLength: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (rounds, limit) => {
          await ctx.db.event.deleteMany();
          const sequences = new Map<string, number>();
          for (const events of rounds) {
            for (const { stream, subscription, id, age } of events) {
              const { merchantId, subscriptionIds } = streams[stream] ?? {
                merchantId: '',
                subscriptionIds: [],
              };
              const subscriptionId = subscription === null ? null : (subscriptionIds[subscription] ?? null);
              const sequence = subscriptionId && (sequences.get(subscriptionId) ?? 0) + 1;
              if (subscriptionId) sequences.set(subscriptionId, Number(sequence));
              const about = { merchantId, environment: 'TEST' as const, subscriptionId };
              const createdAt = new Date(ctx.clock.now().getTime() + age);
              await ctx.db.event.create({
                data: { ...about, id, sequence: sequence || null, type: 'any', data: {}, createdAt },
              });
            }
            // Not to the end: the next ones come while some of these still wait.
            await take(limit);
          }
          while ((await take(limit)).length > 0);
          for (const { merchantId, subscriptionIds } of streams) {
            const events = await ctx.db.event.findMany({
              where: { merchantId },
              orderBy: { position: 'asc' },
            });
            expect(events.map(({ position }) => Number(position))).toEqual(
              events.map((_, index) => index + 1),
            );
            for (const subscriptionId of subscriptionIds) {
              const its = events.filter((event) => event.subscriptionId === subscriptionId);
              expect(its.map(({ sequence }) => sequence)).toEqual(its.map((_, index) => index + 1));
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});
