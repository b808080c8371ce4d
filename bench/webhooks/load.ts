import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../src/db/db.ts';
import { notifyRelay } from '../../src/domain/messages/event/notify-relay.ts';
import { percentile } from '../lib/statistics.ts';
import { PAYMENT_DATA, type SeededMerchant } from './seed.ts';
import type { Receiver, Side } from './world.ts';

const RATE = 200;
const SECONDS = 4;
const TIMEOUT_MS = 120_000;
const CONCURRENCY = 32;

/**
 * Records an event of every subscription at once. Returns the settled deliveries per second.
 */
export async function deliverAll(side: Side, receiver: Receiver): Promise<number> {
  const { db, merchants } = side;
  const count = merchants.reduce((sum, { subscriptionIds }) => sum + subscriptionIds.length, 0);
  await db.$transaction(
    async (tx) => {
      for (const { scope, subscriptionIds } of merchants) {
        await tx.$executeRaw`
          WITH bumped AS (
            UPDATE "Subscription" SET "lastSequence" = "lastSequence" + 1
            WHERE "id" = ANY (${subscriptionIds as string[]}::uuid[]) RETURNING "id", "lastSequence")
          INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
          SELECT gen_random_uuid(), ${scope.merchantId}::uuid, 'TEST', 'subscription.payment_succeeded', "id",
            "lastSequence", ${JSON.stringify(PAYMENT_DATA)}::jsonb, now() FROM bumped`;
      }
    },
    { timeout: TIMEOUT_MS },
  );
  const recordedAt = performance.now();
  await notifyRelay(side);
  await waitUntilDelivered(db);
  const seconds = (performance.now() - recordedAt) / 1000;
  const arrived = await receiver.arrivals();
  if (arrived.length < count) throw new Error(`only ${arrived.length} of ${count} webhooks have arrived`);
  return count / seconds;
}

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Records 200 events per second, spread over `merchants`, each in its own transaction. Returns the
 * milliseconds from commit to receipt for the `measured` merchants.
 */
export async function measureSteadyLoad(
  side: Side,
  receiver: Receiver,
  { merchants, measured }: { merchants: readonly SeededMerchant[]; measured: readonly SeededMerchant[] },
): Promise<Latencies> {
  const committed = new Map<string, number>();
  const recording: Promise<void>[] = [];
  const start = performance.now();
  for (let count = 0; count < RATE * SECONDS; count++) {
    const waitMs = start + (count * 1000) / RATE - performance.now();
    if (waitMs > 0) await wait(waitMs);
    const merchant = merchants[count % merchants.length] as SeededMerchant;
    const id = uuidv7();
    recording.push(
      record(side.db, merchant, count, id).then(() => {
        if (measured.includes(merchant)) committed.set(id, performance.timeOrigin + performance.now());
        return notifyRelay(side);
      }),
    );
  }
  await Promise.all(recording);
  const arrivals = new Map<string, number>();
  const deadline = performance.now() + TIMEOUT_MS;
  while ([...committed.keys()].some((id) => !arrivals.has(id))) {
    for (const [id, at] of await receiver.arrivals()) if (!arrivals.has(id)) arrivals.set(id, at);
    if (performance.now() > deadline) throw new Error('some webhooks have not arrived');
    await wait(50);
  }
  const times = [...committed].map(([id, at]) => (arrivals.get(id) as number) - at);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function record(
  db: Db,
  { scope, subscriptionIds }: SeededMerchant,
  count: number,
  id: string,
): Promise<void> {
  const subscriptionId = subscriptionIds[count % subscriptionIds.length] as string;
  await db.$executeRaw`
    WITH bumped AS (
      UPDATE "Subscription" SET "lastSequence" = "lastSequence" + 1 WHERE "id" = ${subscriptionId}::uuid
      RETURNING "lastSequence")
    INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
    SELECT ${id}::uuid, ${scope.merchantId}::uuid, 'TEST', 'subscription.payment_succeeded', ${subscriptionId}::uuid,
      "lastSequence", ${JSON.stringify(PAYMENT_DATA)}::jsonb, now() FROM bumped`;
}

/** Waits until all events are relayed and all deliveries are settled. */
async function waitUntilDelivered(db: Db): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await db.$queryRaw<{ isWaiting: boolean }[]>`
      SELECT EXISTS (SELECT FROM "Outbox")
        OR EXISTS (SELECT FROM "Delivery" WHERE "status" = 'PENDING') AS "isWaiting"`;
    if (!row?.isWaiting) return;
    if (performance.now() > deadline) throw new Error('some events were not delivered');
    await wait(20);
  }
}

/** The upper bound of this machine: the posts per second of one process without dues. */
export async function postWithoutDues(receiver: Receiver, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({
    id: randomUUID(),
    event: 'x',
    timestamp: 0,
    sequence: 1,
    data: PAYMENT_DATA,
  });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  let next = 0;
  const since = performance.now();
  const post = () =>
    new Promise<void>((resolve, reject) => {
      request(`${receiver.url}/hook`, { method: 'POST', agent, headers }, (response) =>
        response.resume().on('end', resolve),
      )
        .on('error', reject)
        .end(body);
    });
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next++ < count) await post();
    }),
  );
  const seconds = (performance.now() - since) / 1000;
  agent.destroy();
  await receiver.arrivals();
  return count / seconds;
}
