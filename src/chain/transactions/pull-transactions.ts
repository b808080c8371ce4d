import type { Address, ReadonlyUint8Array, Signature } from '@solana/kit';
import { encodeBase58 } from '../../base58/base58.ts';
import type { Pull } from '../accounts/pulls.ts';
import type { Chain } from '../chain.ts';
import { type BlockhashLifetime, type Simulation, simulateWire } from '../rpc/send.ts';
import { wireOf } from './compile-message.ts';
import { type MessageTerms, messageOf, pullInstructions } from './pull-message.ts';

/** Maximum compute units of a transaction. A simulation runs with it and reports the units used. */
const MAX_COMPUTE_UNITS = 1_400_000;

/** A signed transaction. It must be stored before it is sent. */
export interface SignedPulls {
  readonly wire: ReadonlyUint8Array;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  /**
   * Index of the first pull among the instructions. The other pulls follow it. An error names the
   * index of the failed instruction.
   */
  readonly firstPull: number;
}

/**
 * Builds one transaction of these pulls, paid and signed by the collector. `packPulls` limits their
 * number.
 */
export async function signPulls(
  { collector }: Pick<Chain, 'collector'>,
  pulls: readonly Pull[],
  terms: MessageTerms,
): Promise<SignedPulls> {
  const { instructions, firstPull } = pullInstructions(collector.address, pulls);
  const message = messageOf(collector.address, instructions, terms);
  const [signed] = await collector.signTransactions([
    toUnsigned(message, collector.address, terms.blockhash),
  ]);
  const signature = signed?.[collector.address];
  if (!signature) throw new Error(`${collector.address} did not sign`);
  return {
    wire: wireOf(terms.version, message, signature),
    signature: encodeBase58(signature) as Signature,
    lastValidBlockHeight: terms.blockhash.lastValidBlockHeight,
    firstPull,
  };
}

type Unsigned = Parameters<Chain['collector']['signTransactions']>[0][number];

/** Wraps a message in the form that a signer accepts. */
function toUnsigned(message: Uint8Array, signer: Address, lifetimeConstraint: BlockhashLifetime): Unsigned {
  return { messageBytes: message, signatures: { [signer]: null }, lifetimeConstraint } as object as Unsigned;
}

export interface SimulatedPulls extends Simulation {
  readonly firstPull: number;
}

/** Simulates a transaction of these pulls without a signature. */
export async function simulatePulls(
  chain: Chain,
  pulls: readonly Pull[],
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
): Promise<SimulatedPulls> {
  const { address } = chain.collector;
  const { instructions, firstPull } = pullInstructions(address, pulls);
  const message = messageOf(address, instructions, { ...terms, computeUnits: MAX_COMPUTE_UNITS, price: 0n });
  return { ...(await simulateWire(chain, wireOf(terms.version, message))), firstPull };
}
