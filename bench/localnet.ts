import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Address, getBase58Decoder, getTransactionDecoder } from '@solana/kit';
import yellowstone, { CommitmentLevel, type SubscribeRequest } from '@triton-one/yellowstone-grpc';
import { LiteSVM } from 'litesvm';
import { SUBSCRIPTIONS_PROGRAM } from '../localnet/genesis.ts';
import { LocalnetClient } from '../tools/world/localnet-client.ts';
import { median, percentile, round } from './statistics.ts';
import { TransferSigner } from './transfers.ts';

// The types of the package describe its CommonJS build, whose class is nested in one more `default`
// than that of the ESM build.
const YellowstoneClient = yellowstone as unknown as typeof yellowstone.default;
const CONNECTIONS = 32;
const RUNS = 3;
/**
 * Latency is measured below saturation. At saturation only the queue of calls would be measured.
 */
const PACED_PER_SECOND = 1_000;
const PACED_TRANSFERS = 5_000;
const TRANSFERS_PER_RUN = 6_000;
const PROGRAM_ACCOUNTS = 100_000;
const MEMORY_TRANSFERS = 100_000;
const MEMORY_STEP = 25_000;
/**
 * The history keeps 20,000 transactions and Yellowstone's replay 150 slots, about 100,000
 * transactions at this rate. Growth is measured from when both are full and the oldest are dropped.
 */
const WARM_UP_TRANSFERS = 150_000;
const BATCH = 5_000;

/**
 * Measures HTTP throughput, stream latency, getProgramAccounts and memory of the local network, and
 * compares the throughput with that of bare LiteSVM. The targets are printed, but a missed one does
 * not change the exit code.
 */
export default async function benchLocalnet(): Promise<void> {
  const child = fork(fileURLToPath(new URL('./localnet-server.ts', import.meta.url)), {
    execArgv: ['--expose-gc'],
  });
  try {
    const { rpcUrl, geyserUrl } = await receive<{ rpcUrl: string; geyserUrl: string }>(child);
    const client = new LocalnetClient(rpcUrl, CONNECTIONS);
    const signer = await TransferSigner.create();
    const { address: receiver } = await TransferSigner.create();
    await client.setLamports(signer.address, 1_000_000_000_000_000n);
    await client.setLamports(receiver, 1_000_000_000);
    const bare = await bareLiteSvm(signer, receiver);

    const arrivals = await watchTransactions(geyserUrl, signer.address);
    const rates: number[] = [];
    const delays: number[] = [];
    const saturatedDelays: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const saturated = await send(client, signer, receiver, TRANSFERS_PER_RUN);
      saturatedDelays.push(percentile(await arrivals.delays(saturated.answeredAt), 0.99));
      rates.push(saturated.perSecond);
      const paced = await send(client, signer, receiver, PACED_TRANSFERS, PACED_PER_SECOND);
      delays.push(percentile(await arrivals.delays(paced.answeredAt), 0.99));
      console.log(
        `run ${run + 1} of ${RUNS}: ${round(saturated.perSecond)} transfers per second; ` +
          `update p99 ${round(delays.at(-1) ?? 0, 1)} ms at ${PACED_PER_SECOND} per second`,
      );
    }

    const rssMb: number[] = [];
    for (let sent = 0; sent < WARM_UP_TRANSFERS + MEMORY_TRANSFERS; sent += MEMORY_STEP) {
      await sendInBatches(client, signer, receiver, MEMORY_STEP);
      // The stream is still read, because the server would otherwise buffer and then end it.
      arrivals.clear();
      rssMb.push((await ask<{ rssMb: number }>(child, { rss: true })).rssMb);
      console.log(`memory after ${sent + MEMORY_STEP} transfers: ${round(rssMb.at(-1) ?? 0)} MB`);
    }
    const before = rssMb[WARM_UP_TRANSFERS / MEMORY_STEP - 1] ?? Number.NaN;

    await ask(child, { accounts: PROGRAM_ACCOUNTS });
    const listings: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      const body = await client.raw('getProgramAccounts', [
        SUBSCRIPTIONS_PROGRAM,
        { encoding: 'base64', commitment: 'confirmed' },
      ]);
      const { result } = JSON.parse(body) as { result: unknown[] };
      if (result.length !== PROGRAM_ACCOUNTS) throw new Error(`${result.length} accounts`);
      listings.push(performance.now() - start);
    }
    arrivals.close();
    client.close();

    const figures = {
      tx_per_s: round(median(rates)),
      update_p99_ms: round(median(delays), 1),
      update_p99_ms_saturated: round(median(saturatedDelays), 1),
      program_accounts_ms: round(median(listings)),
      rss_growth_mb: round((rssMb.at(-1) ?? Number.NaN) - before, 1),
      bare_litesvm_tx_per_s: round(bare),
    };
    console.table({
      'transfers per second through sendTransaction': { figure: figures.tx_per_s, target: '>= 1500' },
      [`p99 ms from answer to Yellowstone update, at ${PACED_PER_SECOND} per second`]: {
        figure: figures.update_p99_ms,
        target: '< 20',
      },
      'the same, at the maximum rate of 32 connections': {
        figure: figures.update_p99_ms_saturated,
        target: '',
      },
      'ms for 100,000 program accounts': { figure: figures.program_accounts_ms, target: '< 3000' },
      'growth in MB over 100,000 transfers': { figure: figures.rss_growth_mb, target: 'flat' },
      'compared with: bare LiteSVM, in process': { figure: figures.bare_litesvm_tx_per_s, target: '' },
    });
    console.log(JSON.stringify(figures));
  } finally {
    child.disconnect();
  }
}

/** The upper bound: LiteSVM alone decodes and runs the same transfers, without a network. */
async function bareLiteSvm(signer: TransferSigner, receiver: Address): Promise<number> {
  const svm = new LiteSVM();
  svm.airdrop(signer.address, 1_000_000_000_000n as never);
  svm.airdrop(receiver, 1_000_000_000n as never);
  const wires = signer.sign(TRANSFERS_PER_RUN, receiver, svm.latestBlockhash(), 1);
  const decoder = getTransactionDecoder();
  const start = performance.now();
  for (const wire of wires) {
    const result = svm.sendTransaction(decoder.decode(Buffer.from(wire, 'base64')) as never);
    if ('err' in result) throw new Error(result.toString());
  }
  return TRANSFERS_PER_RUN / ((performance.now() - start) / 1000);
}

let nextAmount = 1;

/** Sends over all connections, as fast as possible or at most `perSecond`. */
async function send(
  client: LocalnetClient,
  signer: TransferSigner,
  receiver: Address,
  count: number,
  perSecond = Number.POSITIVE_INFINITY,
) {
  const { value } = await client.call<{ value: { blockhash: string } }>('getLatestBlockhash', [
    { commitment: 'confirmed' },
  ]);
  const wires = signer.sign(count, receiver, value.blockhash, nextAmount);
  nextAmount += count;
  const answeredAt = new Map<string, number>();
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let index = next++; index < wires.length; index = next++) {
        const waitMs = (index / perSecond) * 1000 - (performance.now() - start);
        if (waitMs > 0) await wait(waitMs);
        const signature = await client.call<string>('sendTransaction', [wires[index], options]);
        answeredAt.set(signature, performance.now());
      }
    }),
  );
  return { perSecond: count / ((performance.now() - start) / 1000), answeredAt };
}

async function sendInBatches(
  client: LocalnetClient,
  signer: TransferSigner,
  receiver: Address,
  count: number,
) {
  for (let sent = 0; sent < count; sent += BATCH) await send(client, signer, receiver, BATCH);
}

/** Records when each transaction that names the address arrives in the stream. */
async function watchTransactions(url: string, address: Address) {
  const client = new YellowstoneClient(url, undefined, undefined);
  await client.connect();
  const stream = await client.subscribe();
  const times = new Map<string, number>();
  const base58 = getBase58Decoder();
  let wake: (() => void) | undefined;
  stream.on('data', (update: { transactionStatus?: { signature: Uint8Array } }) => {
    if (!update.transactionStatus) return;
    times.set(base58.decode(update.transactionStatus.signature), performance.now());
    wake?.();
  });
  const filter = { accountInclude: [address], accountExclude: [], accountRequired: [] };
  const request: SubscribeRequest = {
    accounts: {},
    slots: {},
    transactions: {},
    transactionsStatus: { transfers: filter },
    blocks: {},
    blocksMeta: {},
    entry: {},
    accountsDataSlice: [],
    commitment: CommitmentLevel.PROCESSED,
  };
  await new Promise<void>((resolve, reject) =>
    stream.write(request, (error?: Error | null) => (error ? reject(error) : resolve())),
  );
  return {
    /**
     * Waits for all transactions. Returns the milliseconds between response and stream for each.
     */
    delays: async (answeredAt: ReadonlyMap<string, number>): Promise<number[]> => {
      while (times.size < answeredAt.size) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const delays = [...answeredAt].map(([signature, at]) =>
        Math.max(0, (times.get(signature) ?? Infinity) - at),
      );
      times.clear();
      return delays;
    },
    clear: () => times.clear(),
    close: () => stream.destroy(),
  };
}

async function ask<T>(child: ChildProcess, message: object): Promise<T> {
  child.send(message);
  return receive<T>(child);
}

async function receive<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}
