import type {
  Address,
  ReadonlyUint8Array,
  Signature,
  SignatureBytes,
  TransactionPartialSigner,
} from '@solana/kit';
import { encodeBase58 } from '../../base58/base58.ts';
import type { Pull } from '../accounts/pulls.ts';
import type { Chain } from '../chain.ts';
import { type BlockhashLifetime, type Simulation, simulateWire } from '../rpc/send.ts';
import { noSignatures, wireOf } from './compile-message.ts';
import { type MessageTerms, messageOf, pullInstructions } from './pull-message.ts';

/** Maximum compute units of a transaction. A simulation runs with it and reports the units used. */
const MAX_COMPUTE_UNITS = 1_400_000;

/** Who signs a transaction of pulls. */
export interface PullSigners {
  /** The puller. It also pays for new token accounts of receivers. */
  readonly collector: TransactionPartialSigner;
  /** Pays the fee, by default the collector. */
  readonly feePayer?: TransactionPartialSigner;
}

/** The fee payer first, and each account once. */
function inOrder({ collector, feePayer = collector }: PullSigners): TransactionPartialSigner[] {
  return feePayer.address === collector.address ? [collector] : [feePayer, collector];
}

/** A signed transaction. It must be stored before it is sent. */
export interface SignedPulls {
  readonly wire: ReadonlyUint8Array;
  /** The fee payer's signature, which identifies the transaction. */
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  /**
   * Index of the first pull among the instructions. The other pulls follow it. An error names the
   * index of the failed instruction.
   */
  readonly firstPull: number;
}

/** Builds and signs one transaction of these pulls. `packPulls` limits their number. */
export async function signPulls(
  by: PullSigners,
  pulls: readonly Pull[],
  terms: MessageTerms,
): Promise<SignedPulls> {
  const signers = inOrder(by);
  const { message, firstPull } = messageOfPulls(by, pulls, terms);
  const unsigned = toUnsigned(message, signers, terms.blockhash);
  const signatures = await Promise.all(signers.map((signer) => signatureOf(signer, unsigned)));
  const [first] = signatures as [SignatureBytes];
  return {
    wire: wireOf(terms.version, message, signatures),
    signature: encodeBase58(first) as Signature,
    lastValidBlockHeight: terms.blockhash.lastValidBlockHeight,
    firstPull,
  };
}

function messageOfPulls(by: PullSigners, pulls: readonly Pull[], terms: MessageTerms) {
  const { collector, feePayer = collector } = by;
  const { instructions, firstPull } = pullInstructions(collector.address, pulls);
  return { message: messageOf(feePayer.address, instructions, terms), firstPull };
}

type Unsigned = Parameters<TransactionPartialSigner['signTransactions']>[0][number];

/** Wraps a message in the form that a signer accepts. */
function toUnsigned(
  message: Uint8Array,
  signers: readonly { readonly address: Address }[],
  lifetimeConstraint: BlockhashLifetime,
): Unsigned {
  const signatures = Object.fromEntries(signers.map(({ address }) => [address, null]));
  return { messageBytes: message, signatures, lifetimeConstraint } as object as Unsigned;
}

async function signatureOf(signer: TransactionPartialSigner, unsigned: Unsigned): Promise<SignatureBytes> {
  const [signed] = await signer.signTransactions([unsigned]);
  const signature = signed?.[signer.address];
  if (!signature) throw new Error(`${signer.address} did not sign`);
  return signature;
}

export interface SimulatedPulls extends Simulation {
  readonly firstPull: number;
}

/** Simulates a transaction of these pulls without signatures. */
export async function simulatePulls(
  chain: Chain,
  by: PullSigners,
  pulls: readonly Pull[],
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
): Promise<SimulatedPulls> {
  const limits = { computeUnits: MAX_COMPUTE_UNITS, price: 0n };
  const { message, firstPull } = messageOfPulls(by, pulls, { ...terms, ...limits });
  const wire = wireOf(terms.version, message, noSignatures(inOrder(by).length));
  return { ...(await simulateWire(chain, wire)), firstPull };
}
