import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import {
  lockRelay,
  type RelayShard,
  relayShards,
  shardCondition,
} from '../../../src/domain/messages/event/relay-shards.ts';
import { newRelayProgress, relayEvents } from '../../../src/domain/messages/relay/relay-events.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { addEndpoint, createSubscribedMerchant, type SubscribedMerchant, startWorld } from '../world.ts';

const MERCHANTS = 6;
const WRITERS = 3;

const merchants: SubscribedMerchant[] = [];
const writers: Client[] = [];

const world = await sharedByFile(startWorld());
const ctx = world.ctx;
for (let n = 0; n < MERCHANTS; n++) {
  const merchant = await createSubscribedMerchant(ctx);
  await addEndpoint(ctx, merchant, `https://${n}.example/`);
  merchants.push(merchant);
}
for (let n = 0; n < WRITERS; n++) {
  const client = new Client({ connectionString: ctx.config.databaseUrl });
  await client.connect();
  writers.push(client);
}
afterAll(async () => {
  await Promise.all(writers.map((client) => client.end()));
});

/** Records events of a merchant. */
const record = (client: Client, merchant: number, count = 1) =>
  client.query(
    `INSERT INTO "Event" ("id", "merchantId", "environment", "type", "data", "createdAt")
     SELECT gen_random_uuid(), $1, 'TEST', 'any', '{}', now() FROM generate_series(1, $2)`,
    [merchants[merchant]?.scope.merchantId, count],
  );

/** Reads the positions of the relayed events of each merchant, in order. */
async function readPositions(): Promise<number[][]> {
  const rows = await ctx.db.event.findMany({
    where: { position: { not: null } },
    select: { merchantId: true, position: true },
    orderBy: { position: 'asc' },
  });
  return merchants.map(({ scope }) =>
    rows.filter((row) => row.merchantId === scope.merchantId).map(({ position }) => Number(position)),
  );
}

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

async function expectAllRelayed(): Promise<void> {
  expect(await ctx.db.outbox.count()).toBe(0);
  expect(await ctx.db.event.count({ where: { relayedAt: null } })).toBe(0);
  for (const positions of await readPositions()) expect(positions).toEqual(numbersUpTo(positions.length));
  expect(await ctx.db.delivery.count()).toBe(await ctx.db.event.count());
}

async function findShard(merchantId: string, shardCount: number): Promise<number> {
  for (const shard of relayShards(shardCount)) {
    const found = await ctx.db.$queryRaw<unknown[]>`
      SELECT 1 FROM (SELECT ${merchantId}::uuid AS "merchantId") AS row WHERE ${shardCondition(shard)}`;
    if (found.length > 0) return shard.index;
  }
  throw new Error(`${merchantId} belongs to no shard`);
}

it('every merchant belongs to one shard, for any number of shards', async () => {
  for (const shardCount of [1, 2, 3, 4, 16]) {
    const ids = Array.from({ length: 500 }, () => randomUUID());
    const counts = await Promise.all(
      relayShards(shardCount).map(async (shard) => {
        const rows = await ctx.db.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS "count" FROM unnest(${ids}::uuid[]) AS row("merchantId") WHERE ${shardCondition(shard)}`;
        return rows[0]?.count ?? 0;
      }),
    );
    expect(counts.reduce((a, b) => a + b)).toBe(500);
    for (const count of counts) expect(count).toBeGreaterThan(0);
  }
});

/** An action of the writer, or for `relay` of the relay, with this index. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      action: fc.constant('record' as const),
      index: fc.nat(WRITERS - 1),
      merchant: fc.nat(MERCHANTS - 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('commit' as const), index: fc.nat(WRITERS - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ action: fc.constant('rollback' as const), index: fc.nat(WRITERS - 1) }),
  },
  { weight: 3, arbitrary: fc.record({ action: fc.constant('relay' as const), index: fc.nat(7) }) },
);

it('gives each event its merchant’s next position, with 1, 3 and 4 shards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const relays = [1, 3, 4]
        .flatMap((shardCount) => relayShards(shardCount))
        .map((shard) => newRelayProgress(shard));
      const open = new Set<number>();
      const endTransaction = async (writer: number, statement: 'COMMIT' | 'ROLLBACK') => {
        if (open.delete(writer)) await writers[writer]?.query(statement);
      };
      let before = await readPositions();
      for (const { index, ...step } of steps) {
        if (step.action === 'record') {
          if (!open.has(index)) await writers[index]?.query('BEGIN');
          open.add(index);
          await record(writers[index] as Client, step.merchant);
        } else if (step.action === 'relay') {
          await relayEvents(ctx, relays[index]);
          const after = await readPositions();
          after.forEach((positions, merchant) => {
            expect(positions).toEqual(numbersUpTo(positions.length));
            expect(positions.length).toBeGreaterThanOrEqual(before[merchant]?.length ?? 0);
          });
          before = after;
        } else await endTransaction(index, step.action === 'commit' ? 'COMMIT' : 'ROLLBACK');
      }
      for (let writer = 0; writer < WRITERS; writer++) await endTransaction(writer, 'COMMIT');
      // The relays of four shards must find all remaining events without the other relays.
      for (const relay of relays.slice(4)) await relayEvents(ctx, relay);
      await expectAllRelayed();
    }),
    { numRuns: 25 },
  );
});

it('positions become visible in order, with 1, 3 and 4 shards in parallel', async () => {
  const rounds = 12;
  const relays = [1, 3, 4]
    .flatMap((shardCount) => relayShards(shardCount))
    .map((shard) => newRelayProgress(shard));
  let isOver = false;
  const writing = Promise.all(
    writers.map(async (writer, index) => {
      for (let n = 0; n < rounds; n++) {
        await writer.query('BEGIN');
        await record(writer, (index + n) % MERCHANTS, 40);
        await record(writer, (index + n + 1) % MERCHANTS, 40);
        await writer.query('COMMIT');
      }
    }),
  );
  const relaying = relays.map(async (relay) => {
    while (!isOver) await relayEvents(ctx, relay);
  });
  const reading = (async () => {
    while (!isOver)
      for (const positions of await readPositions()) expect(positions).toEqual(numbersUpTo(positions.length));
  })();
  await writing.finally(() => {
    isOver = true;
  });
  await Promise.all([...relaying, reading]);
  for (const relay of relays.slice(4)) await relayEvents(ctx, relay);
  await expectAllRelayed();
});

it('a shard is not delayed by the backlog or the lock of another one', async () => {
  const shards = await Promise.all(merchants.map(({ scope }) => findShard(scope.merchantId, 4)));
  const busy = shards[0] as number;
  let other = shards.findIndex((shard) => shard !== busy);
  if (other < 0) {
    // All six merchants are in one of four shards. The probability is one in a thousand.
    do merchants.push(await createSubscribedMerchant(ctx));
    while ((await findShard(merchants.at(-1)?.scope.merchantId ?? '', 4)) === busy);
    other = merchants.length - 1;
  }
  const otherShard: RelayShard = {
    index: await findShard(merchants[other]?.scope.merchantId ?? '', 4),
    shardCount: 4,
  };
  const progress = newRelayProgress(otherShard);
  await relayEvents(ctx, progress);
  // The transaction of `late` begins first and ends last, so its rows precede the position of the
  // other shards. They belong to the busy shard only.
  const [late, writer] = writers as [Client, Client];
  await late.query('BEGIN');
  await record(late, 0, 3_000);
  await record(writer, 0, 3_000);
  await ctx.db.$transaction(async (tx) => {
    await lockRelay(tx, { index: busy, shardCount: 4 });
    await relayEvents(ctx, progress);
    await late.query('COMMIT');
    await record(writer, other, 1);
    await relayEvents(ctx, progress);
    expect(await ctx.db.event.count({ where: { relayedAt: null } })).toBe(6_000);
  });
  for (const shard of relayShards(4)) await relayEvents(ctx, newRelayProgress(shard));
  expect(await ctx.db.outbox.count()).toBe(0);
});

it('relays nothing while a release without shards relays', async () => {
  await record(writers[0] as Client, 0);
  const [old] = writers as [Client];
  await old.query('BEGIN');
  await old.query("SELECT pg_advisory_xact_lock(hashtext('dues: relay'))");
  const relaying = relayShards(4).map((shard) => relayEvents(ctx, newRelayProgress(shard)));
  const countWaiting = async () => {
    const rows = await ctx.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS "count" FROM pg_locks WHERE "locktype" = 'advisory' AND NOT "granted"`;
    return rows[0]?.count ?? 0;
  };
  while ((await countWaiting()) < 4);
  expect(await ctx.db.event.count({ where: { relayedAt: null } })).toBe(1);
  await old.query('COMMIT');
  await Promise.all(relaying);
  expect(await ctx.db.event.count({ where: { relayedAt: null } })).toBe(0);
});
