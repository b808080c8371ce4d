import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Base64EncodedWireTransaction,
  type Blockhash,
  type Commitment,
  getBase64Decoder,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';
import { inChunks } from '../in-chunks.ts';
import type { Chain } from './chain.ts';
import { type TransactionFailure, toTransactionFailure } from './transaction-failure.ts';

/** What one `getSignatureStatuses` may ask for. */
const STATUSES_A_CALL = 256;
const POLL_MS = 400;
const base64 = getBase64Decoder();

/** What a transaction is signed with, and the height of the last block that it can land in. */
export interface BlockhashLifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** At 'confirmed': a newer one may still vanish with its fork, and a finalized one has lost a fifth of its life. */
export async function latestBlockhash({ rpc }: Chain): Promise<BlockhashLifetime> {
  const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  return value;
}

/**
 * Hands the signed bytes to the node once; sending them again is the caller's to do, and safe: the same bytes land
 * once. An error says nothing about whether they will land.
 */
export function sendWire({ rpc }: Chain, wire: ReadonlyUint8Array): Promise<Signature> {
  return rpc
    .sendTransaction(base64.decode(wire) as Base64EncodedWireTransaction, {
      encoding: 'base64',
      maxRetries: 0n,
      skipPreflight: true,
    })
    .send();
}

/** What a transaction would do. */
export interface Simulation {
  /** `null` is success. */
  readonly err: TransactionFailure | null;
  /** What it took until it ended. */
  readonly computeUnits: number;
}

/** What the bytes would do now. They need no signature and no living blockhash. */
export async function simulateWire({ rpc }: Chain, wire: ReadonlyUint8Array): Promise<Simulation> {
  const { value } = await rpc
    .simulateTransaction(base64.decode(wire) as Base64EncodedWireTransaction, {
      commitment: 'confirmed',
      encoding: 'base64',
      replaceRecentBlockhash: true,
      sigVerify: false,
    })
    .send();
  return { err: toTransactionFailure(value.err), computeUnits: Number(value.unitsConsumed ?? 0n) };
}

export type SignatureOutcome =
  | {
      readonly state: 'landed';
      readonly slot: bigint;
      readonly err: TransactionFailure | null;
      readonly commitment: Commitment;
    }
  /** No trace in any block up to this height. Past the transaction's last valid one it can never land. */
  | { readonly state: 'unseen'; readonly blockHeight: bigint };

/**
 * What became of these transactions, by signature.
 *
 * The height is asked first and the statuses after it: the other way round, a transaction could land between the two
 * and be taken for dead. Behind one URL there may be several nodes, and the one that answers for the statuses may be
 * behind the one that gave the height: then its own height counts, which is at least as many blocks less as it is
 * slots behind.
 */
export async function signatureOutcomes(
  { rpc }: Pick<Chain, 'rpc'>,
  signatures: readonly Signature[],
): Promise<Map<Signature, SignatureOutcome>> {
  const outcomes = new Map<Signature, SignatureOutcome>();
  for (const chunk of inChunks(signatures, STATUSES_A_CALL)) {
    const { blockHeight, absoluteSlot } = await rpc.getEpochInfo({ commitment: 'confirmed' }).send();
    const { context, value } = await rpc
      .getSignatureStatuses(chunk, { searchTransactionHistory: true })
      .send();
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
              // A node that does not say has it rooted: its status cache is older than the field.
              commitment: status.confirmationStatus ?? 'finalized',
            }
          : { state: 'unseen', blockHeight: blockHeight - slotsBehind },
      );
    }
  }
  return outcomes;
}

/** Waits until the transaction is confirmed, or the time is over; answers with how it stands then. */
export async function waitForSignature(
  chain: Pick<Chain, 'rpc'>,
  signature: Signature,
  { timeoutMs }: { timeoutMs: number },
): Promise<SignatureOutcome> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const outcome = (await signatureOutcomes(chain, [signature])).get(signature);
    if (!outcome) throw new Error(`No outcome of ${signature}`);
    const confirmed = outcome.state === 'landed' && outcome.commitment !== 'processed';
    const remainingMs = deadline - performance.now();
    if (confirmed || remainingMs <= 0) return outcome;
    await sleep(Math.min(POLL_MS, remainingMs));
  }
}
