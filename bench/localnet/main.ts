import { ask, forkNetwork, startNetworkProcess, stop } from '../lib/child-process.ts';
import { type Measured, measureParts } from '../lib/figures.ts';
import { Connection, encodeRequest } from '../lib/http-load.ts';
import type { OwnProcessorTime } from '../lib/own-processor-time.ts';
import { median, round } from '../lib/statistics.ts';
import type { BareRequest, BareRun } from './bare.ts';
import type { LOCALNET_FIGURES, PARTS } from './figures.ts';
import { TransferSigner } from './transfers.ts';
import { measureUpdates } from './updates.ts';

const RUNS = 9;
/** Node compiles the hot functions during these runs. */
const WARM_UP_RUNS = 4;
const TRANSFERS_PER_RUN = 4_000;
const CONNECTIONS = 32;
const LAMPORTS = 1_000_000_000_000n;

/**
 * Measures the local network: how many transfers its process runs, compared with bare LiteSVM, and
 * how soon its stream tells an update.
 */
export default async function benchLocalnet({
  only,
}: {
  readonly only?: (typeof PARTS)[number];
}): Promise<Measured<typeof LOCALNET_FIGURES>> {
  return measureParts({ transfers: measureTransfers, updates: measureUpdates }, only);
}

/** Each run sends the same signed transactions to both processes, so the runs alternate. */
async function measureTransfers(): Promise<Measured<typeof LOCALNET_FIGURES>> {
  await using closing = new AsyncDisposableStack();
  const { process: network, client, rpcUrl } = await startNetworkProcess(closing, 1);
  const bare = forkNetwork(new URL('./bare.ts', import.meta.url));
  closing.defer(() => stop(bare));
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(rpcUrl));
  closing.defer(() => {
    for (const connection of connections) connection.close();
  });

  const signer = await TransferSigner.create();
  const { address: receiver } = await TransferSigner.create();
  await client.setLamports(signer.address, LAMPORTS);
  await client.setLamports(receiver, LAMPORTS);
  await ask(bare, { payers: [signer.address, receiver] } satisfies BareRequest);

  const runs: { network: BareRun; bare: BareRun }[] = [];
  for (let run = 1 - WARM_UP_RUNS; run <= RUNS; run++) {
    const { value } = await client.call<{ value: { blockhash: string } }>('getLatestBlockhash', [
      { commitment: 'confirmed' },
    ]);
    const wires = signer.sign(
      TRANSFERS_PER_RUN,
      receiver,
      value.blockhash,
      (run + WARM_UP_RUNS) * TRANSFERS_PER_RUN,
    );
    const before = await ask<OwnProcessorTime>(network, {});
    const seconds = await sendAll(connections, wires);
    const after = await ask<OwnProcessorTime>(network, {});
    const bareRun = await ask<BareRun>(bare, { wires } satisfies BareRequest);
    if (run < 1) continue;
    runs.push({
      network: { seconds, microseconds: after.microseconds - before.microseconds },
      bare: bareRun,
    });
    const [one, other] = [runs.at(-1)?.network, bareRun].map((each) => each && round(timeOf(each), 1));
    console.log(`run ${run} of ${RUNS}: ${one} us of processor time for a transfer, bare ${other}`);
  }
  return {
    bare_ratio: round(median(runs.map((run) => timeOf(run.bare) / timeOf(run.network))), 3),
    transfer_us: round(median(runs.map((run) => timeOf(run.network))), 1),
    bare_us: round(median(runs.map((run) => timeOf(run.bare))), 1),
    transfers_per_s: round(median(runs.map((run) => rateOf(run.network)))),
    bare_per_s: round(median(runs.map((run) => rateOf(run.bare)))),
  };
}

/** Transactions per second. */
function rateOf({ seconds }: BareRun): number {
  return TRANSFERS_PER_RUN / seconds;
}

/** Microseconds of processor time for a transaction. */
function timeOf({ microseconds }: BareRun): number {
  return microseconds / TRANSFERS_PER_RUN;
}

/** Sends all transactions over the connections. Returns the seconds until the last answer. */
async function sendAll(connections: readonly Connection[], wires: readonly string[]): Promise<number> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
  const requests = wires.map((wire) =>
    encodeRequest(
      'POST',
      '/',
      { 'content-type': 'application/json' },
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [wire, options] }),
    ),
  );
  let next = 0;
  const since = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let index = next++; index < requests.length; index = next++) {
        const { status, body } = await connection.ask(requests[index] as Buffer);
        if (status !== 200 || !body.includes('"result"')) throw new Error(`answered ${status}: ${body}`);
      }
    }),
  );
  return (performance.now() - since) / 1_000;
}
