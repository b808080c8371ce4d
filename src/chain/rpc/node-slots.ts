import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit';
import type { Chain } from '../chain.ts';
import { httpTransport } from './http-transport.ts';

const RESPONSE_TIMEOUT_MS = 5_000;

/** One node, called directly. */
export interface NodeSlot {
  readonly url: string;
  /** Its newest confirmed slot. */
  readonly slot: bigint;
}

/**
 * Reads the newest confirmed slot of each RPC node. Each node is called once and directly, so that
 * the calls do not change which node is preferred. Nodes that do not respond are left out.
 */
export async function readNodeSlots(
  { config: { rpcUrl, moreRpcUrls = [] } }: Pick<Chain, 'config'>,
  signal: AbortSignal,
): Promise<NodeSlot[]> {
  const reads = [rpcUrl, ...moreRpcUrls].map(async (url) => ({
    url,
    slot: await nodeRpc(url)
      .getSlot({ commitment: 'confirmed' })
      .send({ abortSignal: AbortSignal.any([signal, responseTimeout()]) }),
  }));
  const outcomes = await Promise.allSettled(reads);
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

/** Reads the genesis hash of a node, which names its cluster. */
export function readNodeHash(url: string, signal?: AbortSignal): Promise<string> {
  const abortSignal = signal ? AbortSignal.any([signal, responseTimeout()]) : responseTimeout();
  return nodeRpc(url).getGenesisHash().send({ abortSignal });
}

function nodeRpc(url: string): Rpc<SolanaRpcApi> {
  return createSolanaRpcFromTransport(httpTransport(url));
}

function responseTimeout(): AbortSignal {
  return AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
}
