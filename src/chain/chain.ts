import type { Rpc, SolanaRpcApi, TransactionPartialSigner } from '@solana/kit';
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { Environment } from '../generated/prisma/client.ts';

/** One environment's cluster and the collectors of dues there. */
export interface Chain {
  readonly environment: Environment;
  readonly config: ClusterConfig;
  /**
   * If a node is busy, behind or silent, the call is repeated on another node or on the same one.
   */
  readonly rpc: Rpc<SolanaRpcApi>;
  /**
   * Runs calls that must be answered by the same node. If that node fails, all calls are repeated.
   */
  readonly onOneNode: <T>(work: (rpc: Rpc<SolanaRpcApi>) => Promise<T>) => Promise<T>;
  /** Sends to all nodes. */
  readonly sendRpc: Rpc<SolanaRpcApi>;
  /** For callers without a key. It shares answers and has a budget of its own. */
  readonly publicRpc: Rpc<SolanaRpcApi>;
  /** Minimum slot of reads and simulations; see `asOf`. */
  readonly minSlot: bigint;
  /** Maximum attempts while the node is below that slot; by default, attempts for five seconds. */
  readonly slotAttempts?: number;
  /** Ends reads of accounts, over all nodes; by default, they last as long as nodes are called. */
  readonly readSignal?: AbortSignal;
  /** Signs pulls, and pays their fees unless a fee payer does. */
  readonly collector: TransactionPartialSigner;
  /** Those that pay the fees of pulls in turn; none while the collector pays. */
  readonly feePayers: readonly TransactionPartialSigner[];
  /** Signs and pays for pulls of plans that name only the previous collector. */
  readonly previousCollector?: TransactionPartialSigner;
}

/** A cluster or its stream cannot be used. The message is one line with its name and the reason. */
export class ClusterUnusable extends Error {
  override name = 'ClusterUnusable';
}

/** The chain with `publicRpc` for all reads, for a caller without a key. */
export function publicChain(chain: Chain): Chain {
  const { publicRpc: rpc } = chain;
  return { ...chain, rpc, onOneNode: (work) => work(rpc) };
}
