import { Client } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { relayShards } from '../../../src/domain/messages/event/relay-shards.ts';
import {
  newRelayProgress,
  type RelayProgress,
  relayEvents,
} from '../../../src/domain/messages/relay/relay-events.ts';
import type { TestContext } from '../../jobs/context.ts';
import {
  addEndpoint,
  createSubscribedMerchant,
  type SubscribedMerchant,
  startWorld,
} from '../../webhooks/world.ts';

const BACKLOG = 12_000;
const SMALL_SIZE = 1_000;
const SUBSCRIPTIONS = 200;

let world: Awaited<ReturnType<typeof startWorld>>;
let ctx: TestContext;
let merchant: SubscribedMerchant;
let progress: RelayProgress[];

beforeEach(async () => {
  world = await startWorld();
  ctx = world.ctx;
  merchant = await createSubscribedMerchant(ctx);
  // PostgreSQL has statistics of empty tables, as when a backlog grows within minutes.
  await ctx.db.$executeRaw`ALTER TABLE "Event" SET (autovacuum_enabled = false)`;
  await ctx.db.$executeRaw`ALTER TABLE "Delivery" SET (autovacuum_enabled = false)`;
  await ctx.db.$executeRaw`VACUUM ANALYZE "Event", "Delivery"`;
});
afterEach(() => world.close());

/** Records a few events of each of many subscriptions in one transaction. */
async function record(count: number, lastSequence = 0): Promise<void> {
  const { merchantId, environment } = merchant.scope;
  await ctx.db.$executeRaw`
    INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
    SELECT uuidv7(), ${merchantId}::uuid, ${environment}::"Environment", 'subscription.expired', s."id",
      ${lastSequence}::int + n, '{}', now()
    FROM (SELECT "id" FROM "Subscription" ORDER BY "id" LIMIT ${SUBSCRIPTIONS}) s,
      generate_series(1, ${count / SUBSCRIPTIONS}::int) n
    ORDER BY n`;
}

/** Relays all events, and counts the index entries and rows that this reads. */
async function relayAndCountReads(): Promise<number> {
  const before = await countReads();
  await Promise.all(progress.map((relay) => relayEvents(ctx, relay)));
  return (await countReads()) - before;
}

/** Counts reads since the start. Connections report them late, so this flushes each connection. */
async function countReads(): Promise<number> {
  await Promise.all(
    Array.from({ length: 20 }, () => ctx.db.$executeRaw`SELECT pg_stat_force_next_flush(), pg_sleep(0.02)`),
  );
  const [row] = await ctx.db.$queryRaw<{ read: bigint }[]>`
    SELECT (SELECT sum("idx_tup_read") FROM pg_stat_user_indexes)::bigint
      + (SELECT sum("seq_tup_read") FROM pg_stat_user_tables)::bigint AS "read"`;
  return Number(row?.read);
}

/** Opens a transaction that holds a snapshot of the database. */
async function openTransaction(): Promise<Client> {
  const client = new Client({ connectionString: ctx.config.databaseUrl });
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT count(*) FROM "Event"');
  return client;
}

it.each([
  ['alone', false, 1],
  ['while a transaction stays open', true, 1],
  ['while a transaction stays open, in four shards', true, 4],
])('an event costs as much to relay in a long backlog as in a short one, %s', async (_, isHeld, shards) => {
  progress = relayShards(shards).map((shard) => newRelayProgress(shard));
  await addEndpoint(ctx, merchant, 'https://a.example/');
  for (let n = 1; n < SUBSCRIPTIONS; n++) await merchant.subscribe();
  const openClient = isHeld ? await openTransaction() : undefined;
  try {
    await record(SMALL_SIZE);
    const readsInShort = (await relayAndCountReads()) / SMALL_SIZE;
    // Autovacuum may take statistics while the outbox is empty.
    await ctx.db.$executeRaw`VACUUM ANALYZE "Outbox"`;
    await record(BACKLOG, SMALL_SIZE / SUBSCRIPTIONS);
    const readsInLong = (await relayAndCountReads()) / BACKLOG;
    await record(SMALL_SIZE, (SMALL_SIZE + BACKLOG) / SUBSCRIPTIONS);
    const readsAfterwards = (await relayAndCountReads()) / SMALL_SIZE;
    expect(readsInLong).toBeLessThan(readsInShort * 1.5);
    expect(readsAfterwards).toBeLessThan(readsInShort * 1.5);
    expect(await ctx.db.delivery.count()).toBe(2 * SMALL_SIZE + BACKLOG);
  } finally {
    await openClient?.end();
  }
});
