import type { Queue } from 'bullmq';
import type { Db } from '../../src/db/db.ts';
import { MAX_CONCURRENCY } from '../../src/domain/messages/webhook/endpoint-settings.ts';
import type { JobName } from '../../src/jobs/catalog.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createLog } from '../../src/observability/log.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { startRedisIfFound } from '../../tools/redis-server.ts';
import { namedDatabaseUrl } from '../../tools/world/database.ts';
import { startCollectWorld } from '../collect/world.ts';
import { measureParts } from '../lib/figures.ts';
import { processorTimeOf } from '../lib/processor-time.ts';
import { round } from '../lib/statistics.ts';
import { deliverAll } from '../webhooks/load.ts';
import { MERCHANTS, SUBSCRIPTIONS_EACH, startWorld } from '../webhooks/world.ts';
import type { PARTS, SHARED_FIGURES } from './figures.ts';

const WORKERS = 4;
const TO_ONE_ENDPOINT = 10_000;
const PAYMENTS = 20_000;
const PREFIX = 'payments.';

/** How evenly the workers shared the claims. */
interface Shares {
  /** 1 - fewest / most claims of a worker: 0 if all workers made equally many claims. */
  readonly spread: number;
  /** The number of workers that made at least a tenth of the claims. */
  readonly workers: number;
  /** The number of claims of rows that were claimed before. */
  readonly twice: number;
}

/**
 * Measures how four worker processes on one Redis share work that is due at once: 20,000 deliveries
 * to forty endpoints, 10,000 to one endpoint, and 20,000 payments. The first run, with all workers, is a warm-up.
 */
export default async function benchShared({ only }: { readonly only?: (typeof PARTS)[number] }) {
  await using closing = new AsyncDisposableStack();
  const redis = await startRedisIfFound(closing);
  if (!redis) throw new Error('there is no redis-server on this machine');
  return await measureParts<(typeof PARTS)[number], typeof SHARED_FIGURES>(
    {
      deliveries: async () => {
        const { all, oneEndpoint } = await shareDeliveries(redis.url);
        return {
          deliveries_spread: all.spread,
          endpoint_workers: oneEndpoint.workers,
          deliveries_twice: all.twice + oneEndpoint.twice,
        };
      },
      payments: async () => {
        const { spread, twice } = await sharePayments(redis.url);
        return { payments_spread: spread, payments_twice: twice };
      },
    },
    only,
  );
}

async function shareDeliveries(redisUrl: string): Promise<Record<'all' | 'oneEndpoint', Shares>> {
  await using closing = new AsyncDisposableStack();
  const { newSide, receiver, broken } = await startWorld(closing);
  const side = await newSide('shared', { redisUrl, workers: WORKERS });
  const others = [];
  for (let count = 0; count < MERCHANTS; count++) {
    others.push(await side.newMerchant({ subscriptions: SUBSCRIPTIONS_EACH }));
  }
  const merchants = [...side.merchants, ...others];
  const deliver = (recipients: typeof side.merchants) =>
    Promise.race([deliverAll({ ...side, merchants: recipients }, receiver), broken]);
  await waitForWorkers(side.jobs, 'webhooks.deliver');
  await deliver(side.merchants);
  await recordClaims(side.db, 'Delivery');
  const before = side.workerPids.map(processorTimeOf);
  console.log(`${round(await deliver(merchants))} deliveries per second`);
  const used = side.workerPids.map((pid, index) => processorTimeOf(pid) - (before[index] ?? 0));
  console.log(`processor time of each worker: ${used.join(', ')} ms`);
  const all = await readShares(side.db, merchants.length * SUBSCRIPTIONS_EACH);
  const large = await side.newMerchant({ subscriptions: TO_ONE_ENDPOINT });
  await side.db.webhookEndpoint.update({
    where: { id: large.endpointId },
    data: { maxConcurrency: MAX_CONCURRENCY },
  });
  await side.db.$executeRaw`TRUNCATE "BenchClaim"`;
  console.log(`${round(await deliver([large]))} deliveries per second to one endpoint`);
  return { all, oneEndpoint: await readShares(side.db, TO_ONE_ENDPOINT) };
}

async function sharePayments(redisUrl: string): Promise<Shares> {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, PAYMENTS);
  const withWorkers = (number: number, work: () => Promise<void>): Promise<void> =>
    number > WORKERS
      ? work()
      : world.withWorker(
          {
            REDIS_URL: redisUrl,
            REDIS_PREFIX: PREFIX,
            DATABASE_URL: namedDatabaseUrl(world.databaseUrl, number),
          },
          () => withWorkers(number + 1, work),
        );
  const store = { databaseUrl: world.databaseUrl, redisUrl, redisPrefix: PREFIX };
  const jobs = createJobs(store as Parameters<typeof createJobs>[0], createLog('error'));
  closing.defer(() => jobs.close());
  await withWorkers(1, async () => {
    await waitForWorkers(jobs, 'payments.collect');
    await world.collectPeriod();
    await recordClaims(world.db, 'Subscription');
    const seconds = await world.collectPeriod();
    console.log(`${round(PAYMENTS / seconds)} payments per second`);
  });
  return await readShares(world.db, PAYMENTS);
}

/** Waits until all workers are connected: Redis lists them by the names of their connections. */
async function waitForWorkers(jobs: Jobs, name: JobName): Promise<void> {
  await pollUntil(async () => {
    const queue = (await jobs.queues()).find(({ job }) => job === name)?.queue as Queue | undefined;
    return ((await queue?.getWorkersCount()) ?? 0) >= WORKERS;
  }, 200);
}

async function recordClaims(db: Db, table: 'Delivery' | 'Subscription'): Promise<void> {
  await db.$executeRawUnsafe('CREATE TABLE "BenchClaim" ("worker" text, "id" uuid, "renewed" boolean)');
  await db.$executeRawUnsafe(`
    CREATE FUNCTION bench_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO "BenchClaim" VALUES (current_setting('application_name'), NEW."id", OLD."claimedUntil" IS NOT NULL);
      RETURN NEW;
    END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER bench_claim AFTER UPDATE OF "claimedUntil" ON "${table}" FOR EACH ROW
    WHEN (NEW."claimedUntil" IS DISTINCT FROM OLD."claimedUntil" AND NEW."claimedUntil" IS NOT NULL) EXECUTE FUNCTION bench_claim()`);
}

async function readShares(db: Db, expected: number): Promise<Shares> {
  const rows = await db.$queryRaw<{ worker: string; count: number }[]>`
    SELECT "worker", count(DISTINCT "id")::int AS "count" FROM "BenchClaim" GROUP BY 1 ORDER BY 1`;
  // A worker may renew its own claim. A renewal by another worker would be a second claim.
  const [total] = await db.$queryRaw<{ all: number; different: number }[]>`
    SELECT (count(*) FILTER (WHERE NOT "renewed") + count(DISTINCT ("worker", "id"))
      - count(DISTINCT ("worker", "id")) FILTER (WHERE NOT "renewed"))::int AS "all",
      count(DISTINCT "id")::int AS "different" FROM "BenchClaim"`;
  const { all, different } = total ?? { all: 0, different: 0 };
  if (different !== expected) throw new Error(`${different} of ${expected} rows were claimed`);
  for (const { worker, count } of rows) console.log(`${worker}: ${count}`);
  const counts = Array.from({ length: WORKERS }, (_, index) => rows[index]?.count ?? 0);
  return {
    spread: round(1 - Math.min(...counts) / Math.max(...counts), 3),
    workers: counts.filter((count) => count >= expected / 10).length,
    twice: all - different,
  };
}
