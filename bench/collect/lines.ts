import { randomUUID } from 'node:crypto';
import { BEFORE_LINES, buildOlderRelease, hasCommit } from '../../tools/older-release.ts';
import { PRICE } from '../../tools/world/seed-subscriptions.ts';
import { median, round } from '../lib/statistics.ts';
import { type CollectWorld, startCollectWorld } from './world.ts';

const SUBSCRIPTIONS = 3_000;
const RUNS = 3;

/** A way to collect, and the charges per second of its runs. */
interface Way {
  readonly name: string;
  /** Of another release. */
  readonly folder?: string;
  readonly hasLines?: boolean;
  readonly rates: number[];
}

/**
 * 3,000 subscriptions to one plan become due at once, in turn for a worker of the release before, for
 * one of this release, and for one of this release while half of the payments have two lines: a price
 * above the limit, and what is cut off. Each run starts a worker; its first period is a warm-up.
 */
export async function measureLines() {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, SUBSCRIPTIONS);
  const twoLines = await addPriceAboveLimit(world);
  const plain: Way = { name: 'plain', rates: [] };
  const lines: Way = { name: 'half with two lines', hasLines: true, rates: [] };
  const before: Way[] = [];
  if (hasCommit(BEFORE_LINES)) {
    before.push({ name: 'before', folder: await buildOlderRelease(closing, BEFORE_LINES), rates: [] });
  } else console.warn(`LEFT OUT: the release before, because this clone has no commit ${BEFORE_LINES}`);
  for (let run = 1; run <= RUNS; run++) {
    for (const way of [...before, plain, lines]) {
      await setPrices(world, way.hasLines ? twoLines : null);
      const collect = async () => {
        await world.collectPeriod();
        way.rates.push(SUBSCRIPTIONS / (await world.collectPeriod()));
      };
      await world.withWorker({}, collect, way.folder);
      console.log(
        `${way.name}, run ${run} of ${RUNS}: ${round(way.rates.at(-1) ?? 0, 1)} charges per second`,
      );
    }
  }
  await checkCharges(world);
  const [older] = before;
  return {
    charges_ratio_before: older ? round(median(plain.rates) / median(older.rates), 3) : null,
    charges_ratio_lines: round(median(lines.rates) / median(plain.rates), 3),
  };
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
