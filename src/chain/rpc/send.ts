import {
  type Base64EncodedWireTransaction,
  type Blockhash,
  getBase64Decoder,
  type ReadonlyUint8Array,
  type Signature,
} from '@solana/kit';
import type { Chain } from '../chain.ts';
import { callAsOf, callNear, contextSlot } from './as-of.ts';
import { type TransactionFailure, toTransactionFailure } from './transaction-failure.ts';

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
