import { randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { BEFORE_LINES, buildOlderRelease, hasCommit } from '../../tools/older-release.ts';
import { PRICE } from '../../tools/world/seed-subscriptions.ts';
import { type ProcessorTime, watchProcessorTime } from '../lib/processor-time.ts';
import { median, round } from '../lib/statistics.ts';
import { type CollectWorld, startCollectWorld } from './world.ts';

const SUBSCRIPTIONS = 3_000;
const RUNS = 3;

/** A way to collect, and what its runs measured. */
interface Way {
  readonly name: string;
  /** Of another release. */
  readonly folder?: string;
  readonly hasLines?: boolean;
  /** Charges per second. */
  readonly rates: number[];
  /** Milliseconds per charge. Empty where they cannot be read. */
  readonly times: ProcessorTime[];
}

/**
 * 3,000 subscriptions to one plan become due at once, in turn for a worker of the release before, for
 * one of this release, and for one of this release while half of the payments have two lines: a price
 * above the limit, and what is cut off. Each run starts a worker; its first period is a warm-up. Processor
 * times depend less than rates on what else the machine does.
 */
export async function measureLines() {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, SUBSCRIPTIONS);
  const twoLines = await addPriceAboveLimit(world);
  const plain: Way = { name: 'plain', rates: [], times: [] };
  const lines: Way = { name: 'half with two lines', hasLines: true, rates: [], times: [] };
  const before: Way[] = [];
  if (hasCommit(BEFORE_LINES)) {
    before.push({
      name: 'before',
      folder: await buildOlderRelease(closing, BEFORE_LINES),
      rates: [],
      times: [],
    });
  } else console.warn(`LEFT OUT: the release before, because this clone has no commit ${BEFORE_LINES}`);
  for (let run = 1; run <= RUNS; run++) {
    for (const way of [...before, plain, lines]) {
      await setPrices(world, way.hasLines ? twoLines : null);
      await measureRun(world, way);
      const { worker, postgresql } = way.times.at(-1) ?? {};
      console.log(
        `${way.name}, run ${run} of ${RUNS}: ${round(way.rates.at(-1) ?? 0, 1)} charges per second, processor ms of`,
        `a charge: worker ${round(worker ?? Number.NaN, 3)}, PostgreSQL ${round(postgresql ?? Number.NaN, 3)},`,
        `load ${round(loadavg()[0] ?? 0, 1)}`,
      );
    }
  }
  await checkCharges(world);
  const [older] = before;
  return {
    charges_ratio_before: older ? round(median(plain.rates) / median(older.rates), 3) : null,
    charges_ratio_lines: round(median(lines.rates) / median(plain.rates), 3),
    cpu_ms_per_charge: timeOf(plain),
    cpu_ms_per_charge_before: older ? timeOf(older) : null,
  };
}

async function measureRun(world: CollectWorld, { folder, rates, times }: Way): Promise<void> {
  const readTime = await watchProcessorTime(world.db);
  const collect = async (workerPid: number) => {
    await world.collectPeriod();
    const before = readTime?.(workerPid);
    rates.push(SUBSCRIPTIONS / (await world.collectPeriod()));
    const after = readTime?.(workerPid);
    if (!before || !after) return;
    times.push({
      worker: (after.worker - before.worker) / SUBSCRIPTIONS,
      postgresql: (after.postgresql - before.postgresql) / SUBSCRIPTIONS,
    });
  };
  await world.withWorker({}, collect, folder);
}

function timeOf({ times }: Way): number | null {
  return times.length > 0
    ? round(median(times.map(({ worker, postgresql }) => worker + postgresql)), 2)
    : null;
}

/** A price that the API would refuse: twice the limit. */
async function addPriceAboveLimit({ db }: CollectWorld): Promise<string> {
  const { id: planId } = await db.plan.findFirstOrThrow();
  const id = randomUUID();
  await db.price.create({ data: { id, planId, version: 2, amount: 2n * PRICE } });
  return id;
}

/** Gives half of the subscriptions a price, or all of them that of their plan. */
async function setPrices({ db }: CollectWorld, priceId: string | null): Promise<void> {
  const first = await db.price.findFirstOrThrow({ where: { version: 1 } });
  await db.subscription.updateMany({ data: { priceId: first.id } });
  if (priceId !== null) {
    await db.$executeRaw`
      UPDATE "Subscription" SET "priceId" = ${priceId}::uuid
      WHERE "id" IN (SELECT "id" FROM "Subscription" ORDER BY "id" LIMIT ${SUBSCRIPTIONS / 2})`;
  } else await db.subscription.updateMany({ data: { lineSources: 0 } });
  await db.$executeRaw`VACUUM ANALYZE`;
}

async function checkCharges({ db, periods }: CollectWorld): Promise<void> {
  const charges = SUBSCRIPTIONS * periods();
  const paid = await db.payment.aggregate({
    where: { status: 'SUCCEEDED' },
    _count: true,
    _sum: { paidAmount: true },
  });
  if (paid._count !== charges || paid._sum.paidAmount !== PRICE * BigInt(charges))
    throw new Error(
      `${charges} charges were made, but the books have ${paid._count}: ${paid._sum.paidAmount}`,
    );
}
