import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Base64EncodedWireTransaction,
  type Blockhash,
  type Commitment,
  getBase64Decoder,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';
import { inChunks } from '../../async/in-chunks.ts';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { Chain } from '../chain.ts';
import { callAsOf, callNear, contextSlot } from './as-of.ts';
import { type TransactionFailure, toTransactionFailure } from './transaction-failure.ts';

/** Maximum signatures per `getSignatureStatuses` call. */
const STATUSES_PER_CALL = 256;
const MAX_CONCURRENT_CALLS = 4;
const POLL_MS = 400;
const base64 = getBase64Decoder();

/** The blockhash to sign with, and the height of the last block in which it is valid. */
export interface BlockhashLifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/**
 * Reads the latest blockhash at 'confirmed': a processed one may vanish with its fork, and a
 * finalized one has lost a fifth of its validity. One from before the chain's `minSlot` would also
 * be too old.
 *
 * @throws NodeBehind
 */
export async function latestBlockhash(chain: Chain): Promise<BlockhashLifetime> {
  const { value } = await callAsOf(
    chain,
    (config) => chain.rpc.getLatestBlockhash({ commitment: 'confirmed', ...config }).send(),
    contextSlot,
  );
  return value;
}

/**
 * Sends the signed bytes to the nodes once. The caller may resend them: the same bytes land at most
 * once. After an error they may land or not.
 */
export function sendWire({ sendRpc }: Chain, wire: ReadonlyUint8Array): Promise<Signature> {
  return sendRpc
    .sendTransaction(base64.decode(wire) as Base64EncodedWireTransaction, {
      encoding: 'base64',
      maxRetries: 0n,
      skipPreflight: true,
    })
    .send();
}

/** The result of a simulation. */
export interface Simulation {
  /** `null` on success. */
  readonly err: TransactionFailure | null;
  /** Compute units used. */
  readonly computeUnits: number;
  /** The slot of the simulated state. */
  readonly slot: bigint;
}

/**
 * Simulates a transaction on the state of the chain's `minSlot` or later. It needs no signature and
 * no valid blockhash.
 *
 * @throws NodeBehind
 */
export async function simulateWire(chain: Chain, wire: ReadonlyUint8Array): Promise<Simulation> {
  const transaction = base64.decode(wire) as Base64EncodedWireTransaction;
  const { context, value } = await callAsOf(
    chain,
    (config) =>
      chain.rpc
        .simulateTransaction(transaction, {
          commitment: 'confirmed',
          encoding: 'base64',
          replaceRecentBlockhash: true,
          sigVerify: false,
          ...config,
        })
        .send(),
    contextSlot,
  );
  const { err, unitsConsumed } = value;
  return {
    err: toTransactionFailure(err),
    computeUnits: Number(unitsConsumed ?? 0n),
    slot: context.slot,
  };
}

export type SignatureOutcome =
  | {
      readonly state: 'landed';
      readonly slot: bigint;
      readonly err: TransactionFailure | null;
      readonly commitment: Commitment;
    }
  /** In no block up to this height. Above its last valid height, it can no longer land. */
  | {
      readonly state: 'unseen';
      readonly blockHeight: bigint;
      /** The slot of the answer. */
      readonly slot: bigint;
    };

/**
 * Whether the outcome is final. A finalized transaction may have failed: `err` must be checked too.
 */
export function isFinalized(
  outcome: SignatureOutcome | undefined,
): outcome is SignatureOutcome & { readonly state: 'landed' } {
  return outcome?.state === 'landed' && outcome.commitment === 'finalized';
}

/** The part of a chain that reads outcomes. Tools with a single node have only `rpc`. */
type SignatureSource = Pick<Chain, 'rpc'> & Partial<Pick<Chain, 'onOneNode' | 'minSlot'>>;

/**
 * Reads the outcomes of transactions by signature.
 *
 * The height is read before the statuses. In the other order, a transaction could land between the
 * two reads and be treated as expired. One node answers both. Its URL may lead to several machines,
 * and the one that answers the statuses may be behind the one that answers the height. In that case
 * the height is reduced by the number of slots between them, which is at least the number of
 * missing blocks.
 *
 * A node far behind `minSlot` is called only if all others are too.
 */
export async function signatureOutcomes(
  chain: SignatureSource,
  signatures: readonly Signature[],
): Promise<Map<Signature, SignatureOutcome>> {
  const outcomes = new Map<Signature, SignatureOutcome>();
  await mapConcurrently([...inChunks(signatures, STATUSES_PER_CALL)], MAX_CONCURRENT_CALLS, async (chunk) => {
    const { blockHeight, absoluteSlot, context, value } = await readHeightAndStatuses(chain, chunk);
    const slotsBehind = absoluteSlot > context.slot ? absoluteSlot - context.slot : 0n;
    for (const [index, signature] of chunk.entries()) {
      const status = value[index];
      outcomes.set(
        signature,
        status
          ? {
              state: 'landed',
              slot: status.slot,
              err: toTransactionFailure(status.err),
              // Nodes return statuses without this field only for finalized transactions.
              commitment: status.confirmationStatus ?? 'finalized',
            }
          : { state: 'unseen', blockHeight: blockHeight - slotsBehind, slot: context.slot },
      );
    }
  });
  return outcomes;
}

async function readHeightAndStatuses(
  { rpc, onOneNode = (work) => work(rpc), minSlot = 0n }: SignatureSource,
  signatures: readonly Signature[],
) {
  const { answer } = await callNear(minSlot, (config) =>
    onOneNode(async (node) => ({
      ...(await node.getEpochInfo({ commitment: 'confirmed', ...config }).send()),
      ...(await node.getSignatureStatuses(signatures, { searchTransactionHistory: true }).send()),
    })),
  );
  return answer;
}

/** Reads the block height of a node that has almost reached `minSlot`, or of any other one. */
export async function readRecentBlockHeight({
  rpc,
  minSlot,
}: Pick<Chain, 'rpc' | 'minSlot'>): Promise<bigint> {
  const { answer } = await callNear(minSlot, (config) =>
    rpc.getBlockHeight({ commitment: 'confirmed', ...config }).send(),
  );
  return answer;
}

/** Waits until the transaction is confirmed, or until the timeout, and returns its outcome. */
export async function waitForSignature(
  chain: SignatureSource,
  signature: Signature,
  { timeoutMs }: { timeoutMs: number },
): Promise<SignatureOutcome> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const outcome = (await signatureOutcomes(chain, [signature])).get(signature);
    if (!outcome) throw new Error(`No outcome of ${signature}`);
    const isConfirmed = outcome.state === 'landed' && outcome.commitment !== 'processed';
    const remainingMs = deadline - performance.now();
    if (isConfirmed || remainingMs <= 0) return outcome;
    await sleep(Math.min(POLL_MS, remainingMs));
  }
}
