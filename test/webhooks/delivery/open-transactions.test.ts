import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import {
  type OutboxPosition,
  outboxPositionAfter,
  outboxStart,
} from '../../../src/domain/messages/event/outbox-position.ts';
import { readOutbox } from '../../../src/domain/messages/event/read-outbox.ts';
import { lockRelay } from '../../../src/domain/messages/event/relay-shards.ts';
import { preferIndexes, takeNewEvents } from '../../../src/domain/messages/event/take-new-events.ts';
import { newRelayProgress, relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { SOON } from '../../support/soon.ts';
import { createSubscribedMerchant, recordExpired, startWorld } from '../world.ts';

const WRITERS = 4;

const writers: Client[] = [];

const world = await sharedByFile(startWorld());
const ctx = world.ctx;
const merchant = await createSubscribedMerchant(ctx);
for (let n = 0; n < WRITERS; n++) {
  const client = new Client({ connectionString: ctx.config.databaseUrl });
  await client.connect();
  writers.push(client);
}
afterAll(async () => {
  await Promise.all(writers.map((client) => client.end()));
});

const record = (client: Client, id: string) =>
  client.query(
    `INSERT INTO "Event" ("id", "merchantId", "environment", "type", "data", "createdAt")
     VALUES ($1, $2, 'TEST', 'any', '{}', now())`,
    [id, merchant.scope.merchantId],
  );

/** Relays one batch from a position in the outbox, and returns the next position. */
async function relayBatch(position: OutboxPosition, limit: number) {
  return ctx.db.$transaction(async (tx) => {
    await preferIndexes(tx);
    await lockRelay(tx);
    const { rows, from, snapshot } = await readOutbox(tx, position, limit);
    const events = await takeNewEvents(tx, ctx.clock.now(), rows);
    return {
      ids: events.map(({ id }) => id),
      position: outboxPositionAfter(from, snapshot, rows.length < limit ? undefined : rows.at(-1)),
    };
  });
}

/** An action of the writer, or for `relay` of the relay, with this index. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ action: fc.constant('record' as const), index: fc.nat(WRITERS - 1) }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('commit' as const), index: fc.nat(WRITERS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('rollback' as const), index: fc.nat(WRITERS - 1) }),
  },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('relay' as const), index: fc.nat(1) }) },
);

it('each committed event is relayed once, even if its transaction ends late', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, limit) => {
        const recorded: string[][] = writers.map(() => []);
        const committed: string[] = [];
        const relayed: string[] = [];
        const positions = [outboxStart, outboxStart];
        const relayOnce = async (relay: number) => {
          const batch = await relayBatch(positions[relay] as OutboxPosition, limit);
          positions[relay] = batch.position;
          relayed.push(...batch.ids);
          return batch.ids.length;
        };
        const endTransaction = async (writer: number, isCommit: boolean) => {
          await writers[writer]?.query(isCommit ? 'COMMIT' : 'ROLLBACK');
          if (isCommit) committed.push(...(recorded[writer] ?? []));
          recorded[writer] = [];
        };
        for (const { action, index } of steps) {
          if (action === 'relay') await relayOnce(index);
          else if (action === 'record') {
            if (recorded[index]?.length === 0) await writers[index]?.query('BEGIN');
            const id = randomUUID();
            await record(writers[index] as Client, id);
            recorded[index]?.push(id);
          } else if (recorded[index]?.length) await endTransaction(index, action === 'commit');
        }
        for (let writer = 0; writer < WRITERS; writer++) {
          if (recorded[writer]?.length) await endTransaction(writer, true);
        }
        while ((await relayOnce(0)) > 0);
        expect(relayed.toSorted()).toEqual(committed.toSorted());
        expect(await relayBatch(positions[1] as OutboxPosition, limit)).toMatchObject({ ids: [] });
        expect(await ctx.db.outbox.count()).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

it('relays an event whose transaction encloses a thousand others', async () => {
  const progress = newRelayProgress();
  const [late] = writers as [Client];
  const id = randomUUID();
  await late.query('BEGIN');
  await record(late, id);
  for (let n = 0; n < 3; n++) {
    await ctx.db.event.createMany({
      data: Array.from({ length: 400 }, () => ({
        ...merchant.scope,
        type: 'any',
        data: {},
        createdAt: ctx.clock.now(),
      })),
    });
    await relayEvents(ctx, progress);
  }
  expect(await ctx.db.outbox.count()).toBe(0);
  await late.query('COMMIT');
  await relayEvents(ctx, progress);
  expect(await ctx.db.event.findUnique({ where: { id } })).toMatchObject({ relayedAt: ctx.clock.now() });
});

it('a position from another server is not used, because events may wait', async () => {
  const progress = newRelayProgress();
  await relayEvents(ctx, progress);
  const { id } = await recordExpired(ctx, merchant);
  const { snapshot } = await ctx.db.$transaction((tx) => readOutbox(tx, outboxStart, 1));
  const position = outboxPositionAfter(outboxStart, snapshot, undefined);
  progress.position = position;
  await relayEvents(ctx, progress);
  expect(await ctx.db.event.findUnique({ where: { id } })).toMatchObject({ relayedAt: null });
  progress.position = { ...position, server: 'the one before' };
  await relayEvents(ctx, progress);
  expect(await ctx.db.event.findUnique({ where: { id } })).toMatchObject({ relayedAt: ctx.clock.now() });
});

it('a position from another database with greater transaction ids is not used', async () => {
  const progress = newRelayProgress();
  await relayEvents(ctx, progress);
  progress.position = { ...outboxStart, xid: 2n ** 60n };
  const { id } = await recordExpired(ctx, merchant);
  await relayEvents(ctx, progress);
  expect(await ctx.db.event.findUnique({ where: { id } })).toMatchObject({ relayedAt: ctx.clock.now() });
});

it('after an error, events before the position are relayed', async () => {
  const progress = newRelayProgress();
  const { id } = await recordExpired(ctx, merchant);
  const { xid } = await ctx.db.outbox.findFirstOrThrow({ where: { eventId: id } });
  await relayEvents(ctx, progress);
  // The other server has the event, but not the commit that relayed it.
  await ctx.db.event.update({ where: { id }, data: { relayedAt: null, position: null } });
  await ctx.db.outbox.create({ data: { xid, eventId: id, ...merchant.scope } });
  await relayEvents(ctx, progress);
  expect(await ctx.db.outbox.count()).toBe(1);

  // The connection of a relay ends while the relay waits for its lock.
  const [holder, admin] = writers as [Client, Client];
  await holder.query('BEGIN');
  await holder.query(`SELECT pg_advisory_xact_lock(hashtext('dues: relay'))`);
  const failed = expect(relayEvents(ctx, progress)).rejects.toThrow();
  await vi.waitFor(async () => {
    const { rowCount } = await admin.query(`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'advisory'`);
    expect(rowCount).toBe(1);
  }, SOON);
  await failed;
  await holder.query('ROLLBACK');
  await relayEvents(ctx, progress);
  expect(await ctx.db.outbox.count()).toBe(0);
  expect(await ctx.db.event.findUnique({ where: { id } })).toMatchObject({ relayedAt: ctx.clock.now() });
});
