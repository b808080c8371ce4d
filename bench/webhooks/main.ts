import { startRedisIfFound } from '../../tools/redis-server.ts';
import type { Measured } from '../lib/figures.ts';
import { median, round } from '../lib/statistics.ts';
import type { WEBHOOKS_FIGURES } from './figures.ts';
import { deliverAll, type Latencies, measureSteadyLoad, postWithoutDues } from './load.ts';
import { seedWaitingDeliveries } from './seed.ts';
import { MERCHANTS, type Side, SUBSCRIPTIONS_EACH, startWorld, type World } from './world.ts';

const RUNS = 3;
const ROUNDS = 7;

/**
 * Measures `dues worker` processes that deliver to a receiver on this machine. The receiver and
 * PostgreSQL are separate processes. There is one worker per database, and each database has twenty
 * merchants with one endpoint each.
 *
 * The first rates alternate with posts of the same bodies without dues. The latencies come from
 * events that are each recorded in their own transaction.
 *
 * The last three figures alternate in every round, so that other work on the machine affects all equally.
 * The effects are medians of the rounds' ratios.
 */
export default async function benchWebhooks(): Promise<Measured<typeof WEBHOOKS_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const world = await startWorld(closing);
  const redis = await startRedisIfFound(closing);
  return await Promise.race([measure(world, redis?.url), world.broken]);
}

async function measure({ receiver, newSide }: World, redisUrl: string | undefined) {
  // Two equal databases with the same load, until one gets a million pending deliveries.
  const plain = await newSide('plain');
  const loaded = await newSide('loaded');
  console.log(
    `two databases, each with ${MERCHANTS} merchants, ${MERCHANTS * SUBSCRIPTIONS_EACH} subscriptions, a worker`,
  );

  const onRedis = redisUrl === undefined ? undefined : await newSide('on_redis', { redisUrl });

  const rates: number[] = [];
  const redisRates: number[] = [];
  const postRates: number[] = [];
  for (const side of [plain, loaded]) await deliverAll(side, receiver);
  if (onRedis) await deliverAll(onRedis, receiver);
  for (let run = 1; run <= RUNS; run++) {
    for (const side of [plain, loaded]) rates.push(await deliverAll(side, receiver));
    if (onRedis) redisRates.push(await deliverAll(onRedis, receiver));
    postRates.push(await postWithoutDues(receiver, MERCHANTS * SUBSCRIPTIONS_EACH));
    const [first = 0, second = 0] = rates.slice(-2);
    console.log(
      `run ${run} of ${RUNS}: ${round(first)} and ${round(second)} deliveries per second, ${round(postRates.at(-1) as number)} posts without dues`,
    );
  }
  await addWaitingDeliveries(loaded);
  console.log('1,000,000 deliveries wait in the second database');

  const measured = plain.merchants.slice(1);
  const measurePlain = () => measureSteadyLoad(plain, receiver, { merchants: plain.merchants, measured });
  const measureWhileOneHangs = async () => {
    const hanging = await plain.newMerchant({ subscriptions: SUBSCRIPTIONS_EACH, path: '/hang' });
    const latencies = await measureSteadyLoad(plain, receiver, {
      merchants: [hanging, ...measured],
      measured,
    });
    await disableEndpoint(plain, hanging.endpointId);
    return latencies;
  };
  const measureWhileMillionWait = () =>
    measureSteadyLoad(loaded, receiver, { merchants: loaded.merchants, measured: loaded.merchants });
  const phases = [measurePlain, measureWhileOneHangs, measureWhileMillionWait];
  for (const phase of phases) await phase();
  const rounds: Latencies[][] = [];
  for (let number = 1; number <= ROUNDS; number++) {
    const latencies: Latencies[] = [];
    // The order rotates, so that other load on the machine affects all phases equally.
    for (let step = 0; step < phases.length; step++) {
      const phase = (number + step) % phases.length;
      latencies[phase] = await (phases[phase] as () => Promise<Latencies>)();
    }
    rounds.push(latencies);
    const [base, hang, waiting] = latencies.map(formatLatencies);
    console.log(`round ${number} of ${ROUNDS}: ${base}; one hanging ${hang}; a million waiting ${waiting}`);
  }

  const ratioOf = (phase: number, measure: keyof Latencies) =>
    median(rounds.map((round) => (round[phase]?.[measure] as number) / (round[0]?.[measure] as number)));
  return {
    deliveries_per_s: round(median(rates)),
    deliveries_per_s_redis: onRedis ? round(median(redisRates)) : null,
    p99_ms: round(median(rounds.map(([base]) => base?.p99 as number)), 1),
    hang_effect: round(ratioOf(1, 'p99'), 3),
    growth: round(ratioOf(2, 'p50'), 3),
    p50_ms: round(median(rounds.map(([base]) => base?.p50 as number)), 1),
    bare_posts_per_s: round(median(postRates)),
  };
}

async function addWaitingDeliveries({ db, newMerchant }: Side): Promise<void> {
  const newMerchants = () => Promise.all(Array.from({ length: 10 }, () => newMerchant()));
  await seedWaitingDeliveries(db, await newMerchants(), await newMerchants());
  // Otherwise the cleanup after a million inserts would be measured, too.
  await db.$executeRaw`VACUUM ANALYZE`;
  await db.$executeRaw`CHECKPOINT`;
}

async function disableEndpoint({ db }: Side, endpointId: string): Promise<void> {
  await db.webhookEndpoint.update({
    where: { id: endpointId },
    data: { status: 'DISABLED', disabledReason: 'MERCHANT', disabledAt: new Date() },
  });
}

function formatLatencies({ p50, p99 }: Latencies): string {
  return `p50 ${round(p50, 1)} ms, p99 ${round(p99, 1)} ms`;
}
