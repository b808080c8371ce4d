import { randomUUID } from 'node:crypto';
import type { Db } from '../src/db/db.ts';
import { relayShards } from '../src/domain/messages/event/relay-shards.ts';
import { newRelayProgress, relayEvents } from '../src/domain/messages/relay/relay-events.ts';
import { median } from './statistics.ts';

const MERCHANTS = 16;
const EVENTS = 4_000;
const ROUNDS = 3;

/**
 * The events per second that one process relays, by its number of shards. The numbers of shards
 * alternate.
 */
export async function measureRelayRates(
  db: Db,
  shardCounts: readonly number[],
): Promise<Map<number, number>> {
  const merchants = Array.from({ length: MERCHANTS }, () => randomUUID());
  await db.merchant.createMany({
    data: merchants.map((id) => ({ id, companyName: 'Bench', walletAddress: `wallet-${id}` })),
  });
  await db.webhookEndpoint.createMany({
    data: merchants.map((merchantId) => ({
      merchantId,
      environment: 'TEST' as const,
      url: 'https://a.example/',
      encryptedSecret: new Uint8Array([1]),
    })),
  });
  const ctx = { db, live: { publish: async () => undefined }, clock: { now: () => new Date() } } as never;
  const rates = new Map<number, number[]>(shardCounts.map((count) => [count, []]));
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [shardCount, ratesOfCount] of rates) {
      await db.$executeRaw`
        INSERT INTO "Event" ("id", "merchantId", "environment", "type", "data", "createdAt")
        SELECT uuidv7(), (${merchants}::uuid[])[1 + n % ${MERCHANTS}::int], 'TEST', 'subscription.expired', '{}', now()
        FROM generate_series(1, ${EVENTS}::int) n`;
      const since = performance.now();
      await Promise.all(relayShards(shardCount).map((shard) => relayEvents(ctx, newRelayProgress(shard))));
      if (round > 0) ratesOfCount.push(EVENTS / ((performance.now() - since) / 1000));
    }
  }
  if ((await db.outbox.count()) > 0) throw new Error('events are not relayed');
  return new Map([...rates].map(([shardCount, ratesOfCount]) => [shardCount, median(ratesOfCount)]));
}
