import type { Address } from '@solana/kit';
import { authorityAddress } from '../src/chain/accounts/addresses.ts';
import { type Pull, type Receiver, readReceivers } from '../src/chain/accounts/pulls.ts';
import { latestBlockhash } from '../src/chain/rpc/send.ts';
import type { MessageVersion } from '../src/chain/transactions/compile-message.ts';
import { packPulls } from '../src/chain/transactions/pack-pulls.ts';
import { LOADED_ACCOUNTS_BYTES, pullInstructions } from '../src/chain/transactions/pull-message.ts';
import { signPulls, simulatePulls } from '../src/chain/transactions/pull-transactions.ts';
import type { Db } from '../src/db/db.ts';
import { pullTermsOf } from '../src/domain/billing/collect/pull-terms.ts';
import { withMargin } from '../src/domain/billing/collect/simulate-packs.ts';
import { COLLECTOR, startNetwork } from '../tools/world/network.ts';
import { PRICE, seedSubscriptions } from '../tools/world/seed-subscriptions.ts';
import type { PullTransaction } from './scale-blocks.ts';

/** A common multiple of the pulls per transaction of version 1 and version 0. */
const PULLS = 228;

/** Transfer transactions of one plan, as the worker packs them. */
export interface MeasuredPulls {
  readonly transactions: readonly PullTransaction[];
  readonly unitsPerPull: number;
  readonly bytesPerPull: number;
}

export interface PullWorld {
  readonly collector: string;
  /** The receiver of all pulls. */
  readonly merchant: string;
  measure(version: MessageVersion): Promise<MeasuredPulls>;
}

/** Starts a local network to measure the cost of pulls. LOCALNET_PROGRAM can name its program. */
export async function startPullWorld(closing: AsyncDisposableStack, db: Db): Promise<PullWorld> {
  const network = await startNetwork();
  closing.defer(() => network.close());
  const { client, chain } = network;
  const collector = COLLECTOR;
  const startedAt = Math.floor(Date.now() / 1000);
  await seedSubscriptions({ client, db, collector }, { count: PULLS, startedAt });
  const rows = await db.subscription.findMany({ include: { plan: true, merchant: true } });
  const terms = rows.map((row) => pullTermsOf(row, PRICE));
  const receivers = await readReceivers(chain, terms);
  const pulls: Pull[] = await Promise.all(
    terms.map(async (term, index) => ({
      ...term,
      ...(receivers[index] as Receiver),
      authority: await authorityAddress(term.payer, term.mint),
    })),
  );
  return {
    collector,
    merchant: pulls[0]?.receiverTokenAccount ?? '',
    async measure(version) {
      const blockhash = await latestBlockhash(chain);
      const items = pulls.map((pull) => ({ pull }));
      const packs = packPulls(items, { collector: chain.collector, version, maxPulls: PULLS });
      const transactions: PullTransaction[] = [];
      let [units, bytes] = [0, 0];
      for (const pack of packs) {
        const packed = pack.map(({ pull }) => pull);
        const { err, computeUnits: used } = await simulatePulls(chain, packed, { blockhash, version });
        if (err) throw new Error(`a pull failed: ${JSON.stringify(err)}`);
        const computeUnits = withMargin(used);
        const { wire } = await signPulls(chain, packed, { blockhash, version, computeUnits, price: 1n });
        transactions.push(describeTransaction(collector, packed, computeUnits));
        units += used;
        bytes += wire.length;
      }
      return { transactions, unitsPerPull: units / PULLS, bytesPerPull: bytes / PULLS };
    },
  };
}

function describeTransaction(
  collector: Address,
  pulls: readonly Pull[],
  computeUnits: number,
): PullTransaction {
  const { instructions } = pullInstructions(collector, pulls);
  const accounts = pulls.flatMap(({ subscription, payerTokenAccount, receiverTokenAccount }) => [
    ...[subscription, payerTokenAccount, receiverTokenAccount],
  ]);
  return {
    pulls: pulls.length,
    computeUnits,
    signatures: 1,
    writable: [...new Set([collector, ...accounts])],
    dataBytes: instructions.reduce((sum, { data }) => sum + (data?.length ?? 0), 0),
    loadedBytes: LOADED_ACCOUNTS_BYTES,
  };
}
