import { USDC_MINT } from '../../localnet/genesis.ts';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { authorityAddress } from '../../src/chain/accounts/addresses.ts';
import { type Receiver, readReceivers } from '../../src/chain/accounts/pulls.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import { signPulls } from '../../src/chain/transactions/pull-transactions.ts';
import { pullTermsOf } from '../../src/domain/billing/collect/pull-terms.ts';
import { PRICE } from '../../tools/world/seed-subscriptions.ts';
import { measureParts } from '../lib/figures.ts';
import { median, round } from '../lib/statistics.ts';
import { measureSweep } from './claim.ts';
import type { COLLECT_FIGURES, PARTS } from './figures.ts';
import { measureIdle } from './idle.ts';
import { measureLateness } from './late.ts';
import { measureLines } from './lines.ts';
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

/** The median payments per second of a worker's runs, and the lamports per payment. */
interface ChargeRates {
  readonly rate: number;
  readonly lamports: number;
}

/**
 * Measures how fast payments are collected, how late they are claimed, the cost of an idle
 * installation and of a claim.
 */
export default function benchCollect({ only }: { readonly only?: (typeof PARTS)[number] }) {
  return measureParts<(typeof PARTS)[number], typeof COLLECT_FIGURES>(
    {
      charges: measureCharges,
      lines: measureLines,
      lateness: measureLateness,
      idle: measureIdle,
      sweep: measureSweep,
    },
    only,
  );
}

/**
 * 3,000 subscriptions to one plan become due at once, and a worker process collects them. The time
 * ends when all are settled and their events are recorded. PostgreSQL and the local network are
 * processes on the same machine. There are three variants: normal, with one payment per
 * transaction, and on a cluster without version 1 messages. For comparison, transactions of one
 * pull are only sent, and were signed before.
 */
async function measureCharges() {
  await using closing = new AsyncDisposableStack();
  const world = await startCollectWorld(closing, SUBSCRIPTIONS);
  const packed = await collectPeriods(world, 'packed', RUNS, {});
  const single = await collectPeriods(world, 'one per transaction', SINGLE_RUNS, {
    TEST_MAX_PULLS_PER_TRANSACTION: '1',
  });
  const olderCluster = await startVersion0Cluster(world.rpcUrl);
  closing.defer(() => olderCluster.close());
  const version0 = await collectPeriods(world, 'version 0', 1, { TEST_RPC_URL: olderCluster.url });
  await checkBooks(world);
  return {
    charges_per_s: round(packed.rate, 1),
    packing_ratio: round(packed.rate / single.rate, 1),
    charges_per_s_one_per_tx: round(single.rate, 1),
    bare_send_per_s: round(await sendBare(world), 1),
    lamports_per_charge: round(packed.lamports, 1),
    lamports_per_charge_v0: round(version0.lamports, 1),
  };
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
  return { rate: median(rates), lamports: Number(_sum.feeLamports ?? 0n) / (SUBSCRIPTIONS * (runs + 1)) };
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
