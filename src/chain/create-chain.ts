import { createKeyPairSignerFromBytes, createSolanaRpcFromTransport } from '@solana/kit';
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { countRpcCall } from '../observability/metrics/counters.ts';
import { publicPart, rootMessage } from '../observability/public-urls.ts';
import { PROGRAM } from './accounts/addresses.ts';
import { createCollector } from './accounts/collectors.ts';
import { isMint } from './accounts/is-mint.ts';
import { readAccounts } from './accounts/read-accounts.ts';
import { type Chain, ClusterUnusable } from './chain.ts';
import { httpTransport } from './rpc/http-transport.ts';
import { onAllNodes, onAnyNode, onOneNode, rpcNode } from './rpc/rpc-nodes.ts';
import { sharedAnswers } from './rpc/shared-answers.ts';

/**
 * Default requests per second of all callers without a key together, if the nodes have no budget.
 */
const PUBLIC_REQUESTS_PER_SECOND = 100;

/**
 * Creates the chain of an environment without a call to the cluster; `assertReachable` checks it.
 * Requests the address of a remote signer.
 *
 * @throws SignerFailed
 */
export async function createChain(environment: Environment, config: ClusterConfig): Promise<Chain> {
  const { previousCollectorKey: previous, feePayerKeys = [] } = config;
  return {
    environment,
    config,
    ...createRpcs(environment, config),
    minSlot: 0n,
    collector: await createCollector(config.collectorKey),
    ...(previous && { previousCollector: await createCollector(previous) }),
    feePayers: await Promise.all(feePayerKeys.map((key) => createKeyPairSignerFromBytes(key))),
  };
}

type Rpcs = Pick<Chain, 'rpc' | 'onOneNode' | 'sendRpc' | 'publicRpc'>;

function createRpcs(environment: Environment, config: ClusterConfig): Rpcs {
  const { rpcUrl, moreRpcUrls = [], rpcRequestsPerSecond, sendRpcUrls = [], publicRpcUrls = [] } = config;
  const node = (url: string, name: string) =>
    rpcNode(httpTransport(url), (result) => countRpcCall(environment, name, result), rpcRequestsPerSecond);
  const ordinaryNodes = [rpcUrl, ...moreRpcUrls].map((url, index) => node(url, `${index}`));
  const sendNodes = sendRpcUrls.map((url, index) => node(url, `send ${index}`));
  const publicNodes = publicRpcUrls.map((url, index) => node(url, `public ${index}`));
  const defaultPublicRate = rpcRequestsPerSecond ? rpcRequestsPerSecond / 2 : PUBLIC_REQUESTS_PER_SECOND;
  const shared = sharedAnswers(
    onAnyNode([...publicNodes, ...ordinaryNodes]),
    config.publicRpcRequestsPerSecond ?? defaultPublicRate,
  );
  return {
    rpc: createSolanaRpcFromTransport(onAnyNode(ordinaryNodes)),
    onOneNode: (work) => onOneNode(ordinaryNodes, (ask) => work(createSolanaRpcFromTransport(ask))),
    sendRpc: createSolanaRpcFromTransport(onAllNodes([...sendNodes, ...ordinaryNodes])),
    publicRpc: createSolanaRpcFromTransport(shared),
  };
}

/**
 * Checks that the cluster has the program and the default mint.
 *
 * @throws ClusterUnusable if the cluster does not respond or lacks one of them
 */
export async function assertReachable(chain: Chain): Promise<void> {
  const { environment, config } = chain;
  const { defaultMint } = config;
  const cluster = `The ${environment} cluster at ${publicPart(config.rpcUrl)}`;
  const [program, mint] = await readAccounts(chain, [PROGRAM, defaultMint], 'extensions').catch(
    (cause: unknown) => {
      throw new ClusterUnusable(`${cluster} cannot be reached: ${rootMessage(cause)}`, { cause });
    },
  );
  if (!program?.executable) {
    throw new ClusterUnusable(`${cluster} has no Subscriptions program (${PROGRAM})`);
  }
  if (!mint || !isMint(mint)) {
    throw new ClusterUnusable(
      `${cluster} has no token with the mint ${defaultMint} (${environment}_USDC_MINT)`,
    );
  }
}
