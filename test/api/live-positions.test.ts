import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { outboxPositionAfter, outboxStart } from '../../src/domain/messages/event/outbox-position.ts';
import { readOutbox } from '../../src/domain/messages/event/read-outbox.ts';
import { lockRelay } from '../../src/domain/messages/event/relay-shards.ts';
import { preferIndexes, takeNewEvents } from '../../src/domain/messages/event/take-new-events.ts';
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

  let position = outboxStart;
  const take = (limit: number) =>
    ctx.db.$transaction(async (tx) => {
      await preferIndexes(tx);
      await lockRelay(tx);
      const { rows, from, snapshot } = await readOutbox(tx, position, limit);
      position = outboxPositionAfter(from, snapshot, rows.length < limit ? undefined : rows.at(-1));
      return takeNewEvents(tx, ctx.clock.now(), rows);
    });

  /** One event. Its id and time come from a machine whose clock may differ. */
  const recorded = fc.record({
    stream: fc.nat({ max: 1 }),
    subscription: fc.option(fc.nat({ max: 2 })),
    id: fc.uuid(),
    age: fc.nat({ max: 3 }),
  });

  it('have no gap, and follow the sequence, for any ids, clocks and batches', async () => {
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
              const origin = { merchantId, environment: 'TEST' as const, subscriptionId };
              const createdAt = new Date(ctx.clock.now().getTime() + age);
              await ctx.db.event.create({
                data: { ...origin, id, sequence: sequence || null, type: 'any', data: {}, createdAt },
              });
            }
            // Only one batch, so that new events arrive while some of these still wait.
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
              const ownEvents = events.filter((event) => event.subscriptionId === subscriptionId);
              expect(ownEvents.map(({ sequence }) => sequence)).toEqual(
                ownEvents.map((_, index) => index + 1),
              );
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
