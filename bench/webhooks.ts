import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { applyMigrations } from '../src/database/schema-engine.ts';
import { connectDb, type Db } from '../src/db.ts';
import { nudgeRelay } from '../src/domain/event/nudge-relay.ts';
import { createJobs, type Jobs } from '../src/jobs/jobs.ts';
import { createLog } from '../src/log.ts';
import type { WorkerSettings } from '../test/webhooks/worker-process.ts';
import { median, percentile, round } from './statistics.ts';
import { PAYMENT_DATA, type SeededMerchant, seedMerchant, seedWaiting } from './webhooks-seed.ts';

const MERCHANTS = 20;
const SUBSCRIPTIONS_EACH = 500;
const RUNS = 3;
const PAIRS = 3;
const RATE = 200;
const SECONDS = 6;
const GIVE_UP_MS = 60_000;
const WANTED = { deliveriesPerS: 1000, p99Ms: 250, hangEffect: 1.1, growth: 1.3 };

/**
 * One worker, of which only the webhooks run, delivers to a receiver on this machine; each has a process of its own, as has
 * PostgreSQL. Twenty merchants with an endpoint each.
 *
 * - deliveries_per_s: 10,000 events are recorded at once; until all are delivered and in the books.
 * - p99_ms: 200 events a second, each in a transaction of its own; from its commit to the arrival at the receiver.
 * - hang_effect: the same while the endpoint of one merchant never answers: p99 of the other nineteen, over that without.
 * - growth: the same with a million deliveries waiting: median time from commit to receipt, over that without.
 */
export default async function benchWebhooks(): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const world = await startWorld(closing);
  const { merchants } = world;
  console.log(`${MERCHANTS} merchants, ${MERCHANTS * SUBSCRIPTIONS_EACH} subscriptions`);

  await deliverAll(world);
  const rates: number[] = [];
  for (let run = 1; run <= RUNS; run++) {
    rates.push(await deliverAll(world));
    console.log(`run ${run} of ${RUNS}: ${round(rates.at(-1) as number)} deliveries a second`);
  }
  const bare = await postBare(world, MERCHANTS * SUBSCRIPTIONS_EACH);

  const measured = merchants.slice(1);
  await steady(world, merchants, measured);
  const without: Latencies[] = [];
  const withHang: Latencies[] = [];
  for (let pair = 1; pair <= PAIRS; pair++) {
    without.push(await steady(world, merchants, measured));
    const hanging = await newMerchant(world, { subscriptions: SUBSCRIPTIONS_EACH, path: '/hang' });
    withHang.push(await steady(world, [hanging, ...measured], measured));
    await switchOff(world.db, hanging);
    console.log(
      `pair ${pair} of ${PAIRS}: ${told(without.at(-1))}; with one hanging ${told(withHang.at(-1))}`,
    );
  }
  const newMerchants = () => Promise.all(Array.from({ length: 10 }, () => newMerchant(world)));
  await seedWaiting(world.db, await newMerchants(), await newMerchants());
  // What the million inserts left for later would be measured with it.
  await world.db.$executeRaw`VACUUM ANALYZE "Delivery"`;
  await world.db.$executeRaw`CHECKPOINT`;
  await steady(world, merchants, measured);
  console.log('1,000,000 deliveries waiting');
  const loaded: Latencies[] = [];
  for (let run = 1; run <= RUNS; run++) {
    loaded.push(await steady(world, merchants, measured));
    console.log(`run ${run} of ${RUNS}: ${told(loaded.at(-1))}`);
  }

  const mid = (runs: Latencies[], which: keyof Latencies) => median(runs.map((each) => each[which]));
  const figures = {
    deliveries_per_s: round(median(rates)),
    p99_ms: round(mid(without, 'p99'), 1),
    hang_effect: round(mid(withHang, 'p99') / mid(without, 'p99'), 3),
    growth: round(mid(loaded, 'p50') / mid(without, 'p50'), 3),
    p50_ms: round(mid(without, 'p50'), 1),
    compared_with: 'the same bodies posted by node:http over kept connections, without books or signatures',
    bare_posts_per_s: round(bare),
  };
  console.table({
    'deliveries a second (median)': {
      figure: figures.deliveries_per_s,
      wanted: `>= ${WANTED.deliveriesPerS}`,
    },
    'p99 from commit to receipt, ms': { figure: figures.p99_ms, wanted: `< ${WANTED.p99Ms}` },
    'p99 of 19 while 1 hangs, over without': {
      figure: figures.hang_effect,
      wanted: `< ${WANTED.hangEffect}`,
    },
    'median with a million waiting, over without': { figure: figures.growth, wanted: `< ${WANTED.growth}` },
    'compared with: bare posts a second': { figure: figures.bare_posts_per_s, wanted: '' },
  });
  console.log(JSON.stringify(figures));
  const isMissed =
    figures.deliveries_per_s < WANTED.deliveriesPerS ||
    figures.p99_ms >= WANTED.p99Ms ||
    figures.hang_effect >= WANTED.hangEffect ||
    figures.growth >= WANTED.growth;
  if (isMissed) process.exitCode = 1;
}

interface World {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly log: ReturnType<typeof createLog>;
  readonly secretKey: Uint8Array;
  readonly receiver: ChildProcess;
  readonly receiverUrl: string;
  readonly merchants: SeededMerchant[];
}

async function startWorld(closing: AsyncDisposableStack): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-bench-'));
  await chmod(folder, 0o755);
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await startEmbeddedDatabase({ folder: join(folder, 'postgres'), persistent: false });
  closing.defer(() => database.stop());
  await applyMigrations(database.url);
  const [receiver, { url: receiverUrl }] = await forked<{ url: string }>('./webhooks-receiver.ts');
  closing.defer(() => receiver.disconnect());
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const secretKey = new Uint8Array(randomBytes(32));
  const log = createLog('error');
  const jobs = createJobs(
    { databaseUrl: database.url, redisUrl: undefined } as Parameters<typeof createJobs>[0],
    log,
  );
  closing.defer(() => jobs.close());
  const started = { db, jobs, log, secretKey, receiver, receiverUrl };
  const merchants: SeededMerchant[] = [];
  for (let count = 0; count < MERCHANTS; count++) {
    merchants.push(await newMerchant(started, { subscriptions: SUBSCRIPTIONS_EACH }));
  }
  const settings: WorkerSettings = {
    databaseUrl: database.url,
    secretKey: Buffer.from(secretKey).toString('base64'),
    aheadMs: 0,
  };
  const [worker] = await forked('../test/webhooks/worker-process.ts', [JSON.stringify(settings)]);
  closing.defer(() => stop(worker));
  return { ...started, merchants };
}

function newMerchant(
  { db, secretKey, receiverUrl }: Pick<World, 'db' | 'secretKey' | 'receiverUrl'>,
  { subscriptions = 0, path = '/hook' } = {},
): Promise<SeededMerchant> {
  return seedMerchant(db, { secretKey, url: receiverUrl + path, subscriptions });
}

async function forked<T>(file: string, args: string[] = []): Promise<[ChildProcess, T]> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const [message] = (await once(child, 'message')) as [T];
  return [child, message];
}

/** An event of every subscription, recorded at once; how many are delivered a second. */
async function deliverAll(world: World): Promise<number> {
  const { db, merchants } = world;
  const since = performance.now();
  await db.$transaction(
    async (tx) => {
      for (const { scope, subscriptionIds } of merchants) {
        const { merchantId } = scope;
        await tx.$executeRaw`
        WITH bumped AS (
          UPDATE "Subscription" SET "lastSequence" = "lastSequence" + 1
          WHERE "id" = ANY (${subscriptionIds as string[]}::uuid[]) RETURNING "id", "lastSequence")
        INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
        SELECT gen_random_uuid(), ${merchantId}::uuid, 'TEST', 'subscription.payment_succeeded', "id", "lastSequence",
          ${JSON.stringify(PAYMENT_DATA)}::jsonb, now() FROM bumped`;
      }
    },
    { timeout: GIVE_UP_MS },
  );
  const recorded = performance.now();
  await nudgeRelay(world);
  await emptied(db);
  const perSecond = (MERCHANTS * SUBSCRIPTIONS_EACH) / ((performance.now() - recorded) / 1000);
  const arrived = await report(world);
  if (arrived.length < MERCHANTS * SUBSCRIPTIONS_EACH) throw new Error(`only ${arrived.length} have arrived`);
  console.log(`  (recorded in ${round((recorded - since) / 1000, 1)} s)`);
  return perSecond;
}

interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

/** 200 events a second over all merchants; the times from commit to receipt of those of some. */
async function steady(
  world: World,
  merchants: readonly SeededMerchant[],
  measured: readonly SeededMerchant[] = merchants,
): Promise<Latencies> {
  const { db } = world;
  const committed = new Map<string, number>();
  const recording: Promise<void>[] = [];
  const start = performance.now();
  for (let count = 0; count < RATE * SECONDS; count++) {
    const early = start + (count * 1000) / RATE - performance.now();
    if (early > 0) await wait(early);
    const merchant = merchants[count % merchants.length] as SeededMerchant;
    const subscriptionId = merchant.subscriptionIds[count % merchant.subscriptionIds.length] as string;
    const id = uuidv7();
    recording.push(
      record(db, merchant, subscriptionId, id).then(() => {
        if (measured.includes(merchant)) committed.set(id, performance.timeOrigin + performance.now());
        return nudgeRelay(world);
      }),
    );
  }
  await Promise.all(recording);
  const arrivals = new Map<string, number>();
  const giveUp = performance.now() + GIVE_UP_MS;
  while ([...committed.keys()].some((id) => !arrivals.has(id))) {
    for (const [id, at] of await report(world)) if (!arrivals.has(id)) arrivals.set(id, at);
    if (performance.now() > giveUp) throw new Error('not all of them have arrived');
    await wait(50);
  }
  const times = [...committed].map(([id, at]) => (arrivals.get(id) as number) - at);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function record(db: Db, { scope }: SeededMerchant, subscriptionId: string, id: string): Promise<void> {
  await db.$executeRaw`
    WITH bumped AS (
      UPDATE "Subscription" SET "lastSequence" = "lastSequence" + 1 WHERE "id" = ${subscriptionId}::uuid
      RETURNING "lastSequence")
    INSERT INTO "Event" ("id", "merchantId", "environment", "type", "subscriptionId", "sequence", "data", "createdAt")
    SELECT ${id}::uuid, ${scope.merchantId}::uuid, 'TEST', 'subscription.payment_succeeded', ${subscriptionId}::uuid,
      "lastSequence", ${JSON.stringify(PAYMENT_DATA)}::jsonb, now() FROM bumped`;
}

async function report({ receiver }: World): Promise<[id: string, at: number][]> {
  receiver.send('report');
  const [{ arrivals }] = (await once(receiver, 'message')) as [{ arrivals: [string, number][] }];
  return arrivals;
}

async function switchOff(db: Db, { endpointId: id }: SeededMerchant): Promise<void> {
  await db.webhookEndpoint.update({
    where: { id },
    data: { status: 'DISABLED', disabledReason: 'MERCHANT', disabledAt: new Date() },
  });
}

/** Waits until everything is relayed and delivered. */
async function emptied(db: Db): Promise<void> {
  const giveUp = performance.now() + GIVE_UP_MS;
  for (;;) {
    const [row] = await db.$queryRaw<{ left: boolean }[]>`
      SELECT EXISTS (SELECT FROM "Event" WHERE "relayedAt" IS NULL)
        OR EXISTS (SELECT FROM "Delivery" WHERE "status" = 'PENDING') AS "left"`;
    if (!row?.left) return;
    if (performance.now() > giveUp) throw new Error('not all of it was delivered');
    await wait(20);
  }
}

/** What this machine can do at all: the same posts from one process with nothing around them. */
async function postBare({ receiverUrl, receiver }: World, count: number): Promise<number> {
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
  const one = () =>
    new Promise<void>((resolve, reject) => {
      request(`${receiverUrl}/hook`, { method: 'POST', agent, headers }, (response) =>
        response.resume().on('end', resolve),
      )
        .on('error', reject)
        .end(body);
    });
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (next++ < count) await one();
    }),
  );
  agent.destroy();
  await report({ receiver } as World);
  return count / ((performance.now() - since) / 1000);
}

function told(latencies: Latencies | undefined): string {
  return `p50 ${round(latencies?.p50 ?? 0, 1)} ms, p99 ${round(latencies?.p99 ?? 0, 1)} ms`;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
