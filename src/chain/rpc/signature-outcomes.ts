// What became of transactions, by their signatures.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commitment, Signature } from '@solana/kit';
import { inChunks } from '../../async/in-chunks.ts';
import { mapConcurrently } from '../../async/map-concurrently.ts';
import type { Chain } from '../chain.ts';
import { callNear } from './as-of.ts';
import { type TransactionFailure, toTransactionFailure } from './transaction-failure.ts';

/** Maximum signatures per `getSignatureStatuses` call. */
const STATUSES_PER_CALL = 256;
const MAX_CONCURRENT_CALLS = 4;
const POLL_MS = 400;

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
      /** A confirmed slot whose block has this height or a higher one. */
      readonly slot: bigint;
    };

/** What became of a transaction: `open` if it may still land, or if its fork may vanish. */
export type SignatureFate = 'succeeded' | 'failed' | 'expired' | 'open';

/**
 * The fate of a transaction of ours.
 *
 * @param lastValidBlockHeight of the blockhash with which it was signed
 */
export function fateOf(outcome: SignatureOutcome, lastValidBlockHeight: bigint): SignatureFate {
  if (outcome.state === 'unseen') {
    return outcome.blockHeight > lastValidBlockHeight ? 'expired' : 'open';
  }
  if (outcome.commitment === 'processed') return 'open';
  return outcome.err === null ? 'succeeded' : 'failed';
}

/** Whether the transaction succeeded, and no fork can change it. */
export function isFinalSuccess(outcome: SignatureOutcome | undefined): boolean {
  return isFinalized(outcome) && outcome.err === null;
}

/** Whether it failed, and no fork can change it. */
export function isFinalFailure(outcome: SignatureOutcome | undefined): boolean {
  return isFinalized(outcome) && outcome.err !== null;
}

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
    // The statuses are those of a slot that may not be confirmed yet.
    const slot = slotsBehind > 0n ? context.slot : absoluteSlot;
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
          : { state: 'unseen', blockHeight: blockHeight - slotsBehind, slot },
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
