import {
  compileTransaction,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type Signature,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { Chain } from './chain.ts';
import { type ComputeTerms, type PullVersion, pullInstructions, pullMessage } from './pull-message.ts';
import type { Pull } from './pulls.ts';
import { type BlockhashLifetime, type Simulation, simulateWire } from './send.ts';

/** What a transaction may take at most; a simulation says what it does take. */
const MOST_COMPUTE_UNITS = 1_400_000;

/** Signed, and to be written down before it is sent. */
export interface SignedPulls {
  readonly wire: ReadonlyUint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  /** Place of the first pull among the instructions; the others follow it. An error names the place. */
  readonly firstPull: number;
}

export interface SigningTerms extends ComputeTerms {
  readonly blockhash: BlockhashLifetime;
  readonly version: PullVersion;
}

/** One transaction of these pulls, paid and signed by the collector. `packPulls` says how many it may be. */
export async function signPulls(
  { collector }: Pick<Chain, 'collector'>,
  pulls: readonly Pull[],
  { blockhash, version, ...compute }: SigningTerms,
): Promise<SignedPulls> {
  const { instructions, firstPull } = pullInstructions(collector, pulls);
  const message = pullMessage(collector, instructions, version, compute);
  const transaction = await signTransactionMessageWithSigners(
    setTransactionMessageLifetimeUsingBlockhash(blockhash, message),
  );
  return {
    wire: getTransactionEncoder().encode(transaction),
    signature: getSignatureFromTransaction(transaction),
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    firstPull,
  };
}

export interface SimulatedPulls extends Simulation {
  readonly firstPull: number;
}

/** What a transaction of these pulls would do now; nothing is signed. */
export async function simulatePulls(
  chain: Chain,
  pulls: readonly Pull[],
  { blockhash, version }: Pick<SigningTerms, 'blockhash' | 'version'>,
): Promise<SimulatedPulls> {
  const { instructions, firstPull } = pullInstructions(chain.collector, pulls);
  const compute = { computeUnits: MOST_COMPUTE_UNITS, price: 0n };
  const message = pullMessage(chain.collector, instructions, version, compute);
  const transaction = compileTransaction(setTransactionMessageLifetimeUsingBlockhash(blockhash, message));
  return { ...(await simulateWire(chain, getTransactionEncoder().encode(transaction))), firstPull };
}
