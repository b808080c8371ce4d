// Calls of single nodes. They go to each node directly, so they do not change which node is
// preferred for other calls.
import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { httpTransport } from './http-transport.ts';

const RESPONSE_TIMEOUT_MS = 5_000;

type Cluster = Pick<Chain, 'config'>;

export interface NodeSlot {
  readonly url: string;
  /** The node's newest confirmed slot. */
  readonly slot: bigint;
}

/** Reads the newest confirmed slot of each RPC node. Nodes that do not respond are left out. */
export async function readNodeSlots(chain: Cluster, signal: AbortSignal): Promise<NodeSlot[]> {
  return callEachNode(chain, async (rpc, url) => ({
    url,
    slot: await rpc.getSlot({ commitment: 'confirmed' }).send({ abortSignal: within(signal) }),
  }));
}

/**
 * Reads the oldest block that each RPC node has. Nodes that do not respond, or do not report that
 * block, are left out.
 */
export async function readFirstBlocks(chain: Cluster): Promise<bigint[]> {
  return callEachNode(chain, (rpc) => rpc.getFirstAvailableBlock().send({ abortSignal: within() }));
}

/** Reads the genesis hash of a node, which names its cluster. */
export function readNodeHash(url: string, signal?: AbortSignal): Promise<string> {
  return nodeRpc(url)
    .getGenesisHash()
    .send({ abortSignal: within(signal) });
}

async function callEachNode<T>(
  { config: { rpcUrl, moreRpcUrls = [] } }: Cluster,
  call: (rpc: Rpc<SolanaRpcApi>, url: string) => Promise<T>,
): Promise<T[]> {
  const calls = [rpcUrl, ...moreRpcUrls].map((url) => call(nodeRpc(url), url));
  const outcomes = await Promise.allSettled(calls);
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

function nodeRpc(url: string): Rpc<SolanaRpcApi> {
  return createSolanaRpcFromTransport(httpTransport(url));
}

function within(signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
