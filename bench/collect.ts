import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { newKeyPairBytes } from '../bin/key-pair.ts';
import { USDC_MINT } from '../localnet/genesis.ts';
import { authorityAddress } from '../src/chain/addresses.ts';
import { type Chain, createChain } from '../src/chain/chain.ts';
import { signPulls } from '../src/chain/pull-transactions.ts';
import { type Receiver, readReceivers } from '../src/chain/pulls.ts';
import { latestBlockhash, sendWire } from '../src/chain/send.ts';
import { COLLECTING_DEFAULTS } from '../src/config.ts';
import { startEmbeddedDatabase } from '../src/database/embedded.ts';
import { applyMigrations } from '../src/database/schema-engine.ts';
import { connectDb, type Db } from '../src/db.ts';
import { pullTermsOf } from '../src/domain/payment/pull-terms.ts';
import { HOUR, PRICE, seedSubscriptions } from './collect-seed.ts';
import { LocalnetClient } from './localnet-client.ts';
import { median, round } from './statistics.ts';

const SUBSCRIPTIONS = 2_000;
const CONNECTIONS = 32;
const RUNS = 3;
/** The first period warms the worker up and is not counted. */
const WARM_UPS = 1;
const WANTED_A_SECOND = 100;
const GIVE_UP_MS = 300_000;
/** How many transactions the bare send has on their way at a time, as the worker has. */
const SENDS_AT_ONCE = 16;

/**
 * 2,000 subscriptions come due at once; the worker role, a process of its own, charges each by one transaction. Counted
 * is until all are settled, booked and their events written. PostgreSQL and the local network are processes of their
 * own on the same machine.
 */
export default async function benchCollect(): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'dues-bench-'));
  await chmod(folder, 0o755);
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  const database = await startEmbeddedDatabase({ folder: join(folder, 'postgres'), persistent: false });
  closing.defer(() => database.stop());
  await applyMigrations(database.url);
  const localnet = fork(fileURLToPath(new URL('./localnet-server.ts', import.meta.url)));
  closing.defer(() => localnet.disconnect());
  const [{ rpcUrl }] = (await once(localnet, 'message')) as [{ rpcUrl: string }];
  const client = new LocalnetClient(rpcUrl, CONNECTIONS);
  closing.defer(() => client.close());
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());

  const collectorKey = await newKeyPairBytes();
  const { address: collector } = await createKeyPairSignerFromBytes(collectorKey);
  await client.call('surfnet_setAccount', [collector, { lamports: 1_000_000_000_000 }]);
  const seedingSince = performance.now();
  const startedAt = Math.floor(Date.now() / 1000);
  await seedSubscriptions({ client, db, collector }, { count: SUBSCRIPTIONS, startedAt });
  console.log(`${SUBSCRIPTIONS} subscriptions seeded in ${secondsSince(seedingSince)} s`);

  const cluster = { rpcUrl, yellowstoneUrl: undefined, yellowstoneToken: undefined, defaultMint: USDC_MINT };
  const chain = await createChain('TEST', { ...cluster, collectorKey, ...COLLECTING_DEFAULTS });
  const worker = spawn(
    process.execPath,
    [fileURLToPath(new URL('../bin/dues.ts', import.meta.url)), 'worker'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        NODE_OPTIONS: process.env.BENCH_WORKER_OPTIONS ?? '',
        DATABASE_URL: database.url,
        SECRET_KEY: randomBytes(32).toString('base64'),
        CLOCK: 'chain',
        LOG_LEVEL: 'error',
        TEST_RPC_URL: rpcUrl,
        TEST_COLLECTOR_KEY: JSON.stringify([...collectorKey]),
      },
    },
  );
  let isStopped = false;
  const stopWorker = async () => {
    if (isStopped) return;
    isStopped = true;
    await stop(worker);
  };
  closing.defer(stopWorker);

  const rates: number[] = [];
  for (let period = 0; period < WARM_UPS + RUNS; period++) {
    const since = performance.now();
    if (period > 0) await travelTo(client, startedAt + period * HOUR);
    await settled(db, SUBSCRIPTIONS * (period + 1));
    const perSecond = SUBSCRIPTIONS / ((performance.now() - since) / 1000);
    if (period >= WARM_UPS) rates.push(perSecond);
    const name = period < WARM_UPS ? 'warm-up' : `run ${period - WARM_UPS + 1} of ${RUNS}`;
    console.log(`${name}: ${round(perSecond, 1)} charges a second`);
  }
  await stopWorker();
  const periods = WARM_UPS + RUNS;
  await proveTheBooks(db, client, periods);
  await travelTo(client, startedAt + periods * HOUR);
  const bare = await sendBare(chain, client, db);

  const figures = {
    charges_per_s: round(median(rates), 1),
    charges_per_s_min: round(Math.min(...rates), 1),
    charges_per_s_max: round(Math.max(...rates), 1),
    bare_send_per_s: round(bare, 1),
  };
  console.table({
    'charges a second, due to settled and told (median)': {
      figure: figures.charges_per_s,
      wanted: `>= ${WANTED_A_SECOND}`,
    },
    'compared with: the same transactions, signed and only sent': {
      figure: figures.bare_send_per_s,
      wanted: '',
    },
  });
  console.log(JSON.stringify(figures));
  if (figures.charges_per_s < WANTED_A_SECOND) process.exitCode = 1;
}

/** Waits until so many payments are booked, and as many events written. */
async function settled(db: Db, count: number): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const paid = await db.payment.count({ where: { status: 'SUCCEEDED' } });
    if (paid === count) return;
    if (performance.now() > deadline) throw new Error(`${paid} of ${count} payments after ${GIVE_UP_MS} ms`);
    await wait(50);
  }
}

/** What was counted is true: money on chain, payments, events and landed transactions agree. */
async function proveTheBooks(db: Db, client: LocalnetClient, periods: number): Promise<void> {
  const charges = SUBSCRIPTIONS * periods;
  const { walletAddress } = await db.merchant.findFirstOrThrow();
  const { value } = await client.call<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
  }>('getTokenAccountsByOwner', [
    walletAddress,
    { mint: USDC_MINT },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  const onChain = BigInt(value[0]?.account.data.parsed.info.tokenAmount.amount ?? 0);
  const events = await db.event.count({ where: { type: 'subscription.payment_succeeded' } });
  const transactions = await db.transferTransaction.count();
  const found = { received: onChain / PRICE, events, transactions };
  if (onChain !== PRICE * BigInt(charges) || events !== charges || transactions !== charges) {
    throw new Error(`${charges} charges were booked, but ${JSON.stringify(found, (_, v) => String(v))}`);
  }
}

/** The same pulls with nothing around them: how many a second this node takes of this client. */
async function sendBare(chain: Chain, client: LocalnetClient, db: Db): Promise<number> {
  const rows = await db.subscription.findMany({ include: { plan: true, merchant: true } });
  const terms = rows.map((row) => pullTermsOf(row, PRICE));
  const receivers = await readReceivers(chain, terms);
  const pulls = await Promise.all(
    terms.map(async (term, index) => ({
      ...term,
      authority: await authorityAddress(term.payer, term.mint),
      ...(receivers[index] as Receiver),
    })),
  );
  const blockhash = await latestBlockhash(chain);
  const signed = await Promise.all(
    pulls.map((pull) => signPulls(chain, [pull], { blockhash, version: 0, computeUnits: 60_000, price: 0n })),
  );
  const since = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: SENDS_AT_ONCE }, async () => {
      for (let one = signed[next++]; one; one = signed[next++]) await sendWire(chain, one.wire);
    }),
  );
  const perSecond = signed.length / ((performance.now() - since) / 1000);
  const last = signed.slice(-256).map(({ signature }) => signature);
  const { value } = await client.call<{ value: ({ err: unknown } | null)[] }>('getSignatureStatuses', [last]);
  if (value.some((status) => !status || status.err)) throw new Error('a transaction of the bare send failed');
  return perSecond;
}

function travelTo(client: LocalnetClient, unixSeconds: number): Promise<unknown> {
  return client.call('surfnet_timeTravel', [{ absoluteTimestamp: unixSeconds * 1000 }]);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
