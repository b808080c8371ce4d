import { USDC_MINT } from '../../localnet/genesis.ts';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { authorityAddress } from '../../src/chain/accounts/addresses.ts';
import { type Receiver, readReceivers } from '../../src/chain/accounts/pulls.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import { signPulls } from '../../src/chain/transactions/pull-transactions.ts';
import { pullTermsOf } from '../../src/domain/billing/collect/pull-terms.ts';
import { PRICE } from '../../tools/world/seed-subscriptions.ts';
import { median, round } from '../lib/statistics.ts';
import { isWithinTargets, measureStream, streamTable } from '../stream/main.ts';
import { benchClaim } from './claim.ts';
import { benchIdle } from './idle.ts';
import { benchLateness, type Lateness } from './late.ts';
import { startVersion0Cluster } from './version-0-cluster.ts';
import { type CollectWorld, startCollectWorld } from './world.ts';

const SUBSCRIPTIONS = 3_000;
const RUNS = 3;
/** Runs of the slow variant, which is only a comparison. */
const SINGLE_RUNS = 1;
/** Payments of the bare send, which is only a comparison. */
const BARE_PAYMENTS = 2_000;
/** Transactions that the bare send sends at the same time. The worker sends as many. */
const MAX_CONCURRENT_SENDS = 32;

/** Payments per second in each run of a worker, and the lamports per payment. */
interface ChargeRates {
  readonly rates: readonly number[];
  readonly lamports: number;
}

const TARGETS = {
  rate: 500,
  times: 10,
  lamports: 300,
  lamports0: 1_250,
  sweepMs: 10,
  sweepGrowth: 1.2,
  idle: 5,
  lateMs: 250,
};

/** The figures of collection. Those of the stream are `StreamFigures`. */
interface CollectFigures extends Lateness {
  readonly idle_tx_per_s: number;
  readonly charges_per_s: number;
  readonly charges_per_s_min: number;
  readonly charges_per_s_max: number;
  readonly charges_per_s_one_per_tx: number;
  readonly lamports_per_charge: number;
  readonly lamports_per_charge_v0: number;
  readonly bytes_per_charge: number;
  readonly sweep_ms_10k: number;
  readonly sweep_ms_1m: number;
  readonly bare_send_per_s: number;
}

const PARTS = {
  charges: measureCharges,
  lateness: benchLateness,
  idle: measureIdle,
  sweep: measureSweep,
  stream: measureStream,
};

/**
 * `npm run bench -- collect`: measures how fast payments are collected, how late they are
 * claimed, the cost of an idle installation and of a claim, and the indexer (`../stream/`).
 *
 * @param only the one part to measure; its figures are not compared with the targets
 */
export default async function benchCollect(only?: keyof typeof PARTS): Promise<void> {
  if (only) {
    console.log(JSON.stringify(await PARTS[only]()));
    return;
  }
  const charges = await measureCharges();
  const collect = {
    ...charges,
    ...(await benchLateness()),
    ...(await measureIdle()),
    ...(await measureSweep()),
  };
  const stream = await measureStream();
  console.table({ ...collectTable(collect), ...streamTable(stream) });
  console.log(JSON.stringify({ ...collect, ...stream }));
  if (!isMet(collect) || !isWithinTargets(stream)) process.exitCode = 1;
}

/**
 * 3,000 subscriptions to one plan become due at once, and a worker process collects them. The time
 * ends when all are settled and their events are recorded. PostgreSQL and the local network are
 * processes on the same machine. There are three variants: normal, with one payment per
 * transaction, and on a cluster without version 1 messages. For comparison, transactions of one
 * pull are only sent, and were signed before.
 */
async function measureCharges(): Promise<
  Omit<CollectFigures, 'sweep_ms_10k' | 'sweep_ms_1m' | 'idle_tx_per_s' | keyof Lateness>
> {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, SUBSCRIPTIONS);
  const packed = await collectPeriods(world, 'packed', RUNS, {});
  const bytes = await bytesPerCharge(world);
  const single = await collectPeriods(world, 'one per transaction', SINGLE_RUNS, {
    TEST_MAX_PULLS_PER_TRANSACTION: '1',
  });
  const olderCluster = await startVersion0Cluster(world.rpcUrl);
  closing.defer(() => olderCluster.close());
  const version0 = await collectPeriods(world, 'version 0', 1, { TEST_RPC_URL: olderCluster.url });
  await checkBooks(world);
  return {
    charges_per_s: round(median(packed.rates), 1),
    charges_per_s_min: round(Math.min(...packed.rates), 1),
    charges_per_s_max: round(Math.max(...packed.rates), 1),
    charges_per_s_one_per_tx: round(median(single.rates), 1),
    lamports_per_charge: round(packed.lamports, 1),
    lamports_per_charge_v0: round(version0.lamports, 1),
    bytes_per_charge: round(bytes),
    bare_send_per_s: round(await sendBare(world), 1),
  };
}

async function measureIdle(): Promise<Pick<CollectFigures, 'idle_tx_per_s'>> {
  return { idle_tx_per_s: round(await benchIdle(), 2) };
}

async function measureSweep(): Promise<Pick<CollectFigures, 'sweep_ms_10k' | 'sweep_ms_1m'>> {
  const { small, large } = await benchClaim();
  return { sweep_ms_10k: round(small, 2), sweep_ms_1m: round(large, 2) };
}

const packingRatioOf = (figures: CollectFigures) =>
  round(figures.charges_per_s / figures.charges_per_s_one_per_tx, 1);
const growthOf = (figures: CollectFigures) => round(figures.sweep_ms_1m / figures.sweep_ms_10k, 2);

function collectTable(figures: CollectFigures) {
  return {
    'charges per second, from due to settled (median)': {
      figure: figures.charges_per_s,
      target: `>= ${TARGETS.rate}`,
    },
    'the same worker, limited to one payment per transaction': {
      figure: figures.charges_per_s_one_per_tx,
      target: '',
    },
    'rate / rate with one payment per transaction': {
      figure: packingRatioOf(figures),
      target: `>= ${TARGETS.times}`,
    },
    'lamports per charge': { figure: figures.lamports_per_charge, target: `<= ${TARGETS.lamports}` },
    'lamports per charge, version 0': {
      figure: figures.lamports_per_charge_v0,
      target: `<= ${TARGETS.lamports0}`,
    },
    'bytes per charge in the database': { figure: figures.bytes_per_charge, target: '' },
    'ms to find and claim 100 due among 10,000': {
      figure: figures.sweep_ms_10k,
      target: `< ${TARGETS.sweepMs}`,
    },
    'the same among 1,000,000': { figure: figures.sweep_ms_1m, target: `< ${TARGETS.sweepMs}` },
    'time among 1,000,000 / time among 10,000': {
      figure: growthOf(figures),
      target: `<= ${TARGETS.sweepGrowth}`,
    },
    'ms from due to claimed (p99), payments due at 200 per second': {
      figure: figures.due_late_p99_ms,
      target: `<= ${TARGETS.lateMs}`,
    },
    'the same for retries': { figure: figures.retry_late_p99_ms, target: `<= ${TARGETS.lateMs}` },
    'transactions per second of an idle installation': {
      figure: figures.idle_tx_per_s,
      target: `<= ${TARGETS.idle}`,
    },
    'compared with: transactions of one pull, only sent (signed before)': {
      figure: figures.bare_send_per_s,
      target: '',
    },
  };
}

function isMet(figures: CollectFigures): boolean {
  return (
    figures.charges_per_s >= TARGETS.rate &&
    packingRatioOf(figures) >= TARGETS.times &&
    figures.lamports_per_charge <= TARGETS.lamports &&
    figures.lamports_per_charge_v0 <= TARGETS.lamports0 &&
    figures.sweep_ms_10k < TARGETS.sweepMs &&
    figures.sweep_ms_1m < TARGETS.sweepMs &&
    growthOf(figures) <= TARGETS.sweepGrowth &&
    figures.due_late_p99_ms <= TARGETS.lateMs &&
    figures.retry_late_p99_ms <= TARGETS.lateMs &&
    figures.idle_tx_per_s <= TARGETS.idle
  );
}

/**
 * Collects several periods with one worker. The first period is a warm-up, which the rates leave
 * out and the lamports include. After it the tables are analyzed, as autovacuum would do later.
 */
async function collectPeriods(
  world: CollectWorld,
  name: string,
  runs: number,
  variables: Readonly<Record<string, string>>,
): Promise<ChargeRates> {
  const rates: number[] = [];
  const since = await newestTransaction(world);
  await world.withWorker(variables, async () => {
    for (let run = 0; run <= runs; run++) {
      const perSecond = SUBSCRIPTIONS / (await world.collectPeriod());
      if (run > 0) rates.push(perSecond);
      else await world.db.$executeRaw`ANALYZE`;
      const label = run === 0 ? 'warm-up' : `run ${run} of ${runs}`;
      console.log(`${name}, ${label}: ${round(perSecond, 1)} charges per second`);
    }
  });
  const { _sum, _count } = await world.db.transferTransaction.aggregate({
    where: { id: { gt: since } },
    _sum: { feeLamports: true },
    _count: true,
  });
  console.log(`${name}: ${_count} transactions`);
  return { rates, lamports: Number(_sum.feeLamports ?? 0n) / (SUBSCRIPTIONS * (runs + 1)) };
}

/**
 * The bytes of a payment in the database, with indexes and without dead rows: payment, attempt,
 * transfer, event, and the payment's part of a transaction. Deliveries and the signed bytes do not
 * count, because they are deleted later.
 */
async function bytesPerCharge({ db }: CollectWorld): Promise<number> {
  const tables = ['Payment', 'Attempt', 'TransferTransaction', 'ChainTransfer', 'Event'];
  await db.transferTransaction.updateMany({ data: { wire: new Uint8Array() } });
  for (const table of tables) await db.$executeRawUnsafe(`VACUUM FULL "${table}"`);
  const [row] = await db.$queryRaw<{ bytes: bigint }[]>`
    SELECT sum(pg_total_relation_size(quote_ident(name)::regclass))::bigint AS "bytes"
    FROM unnest(${tables}::text[]) AS name`;
  return Number(row?.bytes ?? 0n) / (await db.payment.count());
}

async function newestTransaction({ db }: CollectWorld): Promise<string> {
  const newest = await db.transferTransaction.findFirst({ orderBy: { id: 'desc' }, select: { id: true } });
  return newest?.id ?? '00000000-0000-0000-0000-000000000000';
}

/** Checks that money on chain, payments and events agree, and that no transaction failed. */
async function checkBooks({ db, client, periods }: CollectWorld): Promise<void> {
  const charges = SUBSCRIPTIONS * periods();
  const { walletAddress } = await db.merchant.findFirstOrThrow();
  const { value } = await client.call<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
  }>('getTokenAccountsByOwner', [
    walletAddress,
    { mint: USDC_MINT },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  const onChain = BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? 0);
  const payments = await db.payment.count({ where: { status: 'SUCCEEDED' } });
  const events = await db.event.count({ where: { type: 'subscription.payment_succeeded' } });
  const notLanded = await db.transferTransaction.count({ where: { status: { not: 'LANDED' } } });
  if (onChain !== PRICE * BigInt(charges) || payments !== charges || events !== charges || notLanded > 0) {
    const counts = JSON.stringify({ received: String(onChain / PRICE), payments, events, notLanded });
    throw new Error(`${charges} charges were made, but ${counts}`);
  }
}

/** The bare send: transactions per second that the node accepts from this client. */
async function sendBare(world: CollectWorld): Promise<number> {
  const { db, chain } = world;
  await world.client.travelTo(await nextPeriodMs(world));
  const rows = await db.subscription.findMany({
    include: { plan: true, merchant: true },
    take: BARE_PAYMENTS,
  });
  const terms = rows.map((row) => pullTermsOf(row, PRICE));
  const receivers = await readReceivers(chain, terms);
  const pulls = await mapConcurrently([...terms.entries()], MAX_CONCURRENT_SENDS, async ([index, term]) => ({
    ...term,
    ...(receivers[index] as Receiver),
    authority: await authorityAddress(term.payer, term.mint),
  }));
  const blockhash = await latestBlockhash(chain);
  const signed = await Promise.all(
    pulls.map((pull) => signPulls(chain, [pull], { blockhash, version: 0, computeUnits: 60_000, price: 0n })),
  );
  const since = performance.now();
  await mapConcurrently(signed, MAX_CONCURRENT_SENDS, ({ wire }) => sendWire(chain, wire));
  const perSecond = signed.length / ((performance.now() - since) / 1000);
  const last = signed.slice(-256).map(({ signature }) => signature);
  const { value } = await world.client.call<{ value: ({ err: unknown } | null)[] }>('getSignatureStatuses', [
    last,
  ]);
  if (value.some((status) => !status || status.err)) throw new Error('a transaction of the bare send failed');
  return perSecond;
}

async function nextPeriodMs({ db }: CollectWorld): Promise<number> {
  const { nextPaymentAt } = await db.subscription.findFirstOrThrow({ orderBy: { nextPaymentAt: 'desc' } });
  return nextPaymentAt.getTime();
}
