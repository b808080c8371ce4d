import { createSolanaRpcFromTransport } from '@solana/kit';
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { countRpcCall } from '../observability/metrics/counters.ts';
import { publicPart, rootMessage } from '../observability/public-urls.ts';
import { PROGRAM } from './accounts/addresses.ts';
import { createCollector } from './accounts/collectors.ts';
import { type Chain, ClusterUnusable } from './chain.ts';
import { httpTransport } from './rpc/http-transport.ts';
import { onAllNodes, onAnyNode, onOneNode, rpcNode } from './rpc/rpc-nodes.ts';
import { sharedAnswers } from './rpc/shared-answers.ts';

/**
 * Default requests per second for all callers without a key together, if the nodes have no budget.
 */
const PUBLIC_REQUESTS_PER_SECOND = 100;

/**
 * Opens no connection to the cluster: `assertReachable` checks it. A remote signer is asked for its
 * address.
 *
 * @throws SignerFailed
 */
export async function createChain(environment: Environment, config: ClusterConfig): Promise<Chain> {
  const { previousCollectorKey: previous } = config;
  return {
    environment,
    config,
    ...rpcsOf(environment, config),
    minSlot: 0n,
    collector: await createCollector(config.collectorKey),
    ...(previous && { previousCollector: await createCollector(previous) }),
  };
}

type Rpcs = Pick<Chain, 'rpc' | 'onOneNode' | 'sendRpc' | 'publicRpc'>;

function rpcsOf(environment: Environment, config: ClusterConfig): Rpcs {
  const { rpcUrl, moreRpcUrls = [], requestsPerSecond, sendRpcUrls = [], publicRpcUrls = [] } = config;
  const node = (url: string, name: string) =>
    rpcNode(httpTransport(url), (result) => countRpcCall(environment, name, result), requestsPerSecond);
  const ordinary = [rpcUrl, ...moreRpcUrls].map((url, place) => node(url, `${place}`));
  const sending = sendRpcUrls.map((url, place) => node(url, `send ${place}`));
  const ofPublic = publicRpcUrls.map((url, place) => node(url, `public ${place}`));
  const halfOfAll = requestsPerSecond ? requestsPerSecond / 2 : PUBLIC_REQUESTS_PER_SECOND;
  const shared = sharedAnswers(
    onAnyNode([...ofPublic, ...ordinary]),
    config.publicRequestsPerSecond ?? halfOfAll,
  );
  return {
    rpc: createSolanaRpcFromTransport(onAnyNode(ordinary)),
    onOneNode: (work) => onOneNode(ordinary, (ask) => work(createSolanaRpcFromTransport(ask))),
    sendRpc: createSolanaRpcFromTransport(onAllNodes([...sending, ...ordinary])),
    publicRpc: createSolanaRpcFromTransport(shared),
  };
}

/**
 * Checks that the cluster has the program and the default mint.
 *
 * @throws ClusterUnusable if the cluster does not respond or lacks one of them
 */
export async function assertReachable({ environment, config, rpc }: Chain): Promise<void> {
  const who = `The ${environment} cluster at ${publicPart(config.rpcUrl)}`;
  const { value: program } = await rpc
    // Without its data: the program has hundreds of kilobytes.
    .getAccountInfo(PROGRAM, {
      commitment: 'confirmed',
      encoding: 'base64',
      dataSlice: { offset: 0, length: 0 },
    })
    .send()
    .catch((cause: unknown) => {
      throw new ClusterUnusable(`${who} cannot be reached: ${rootMessage(cause)}`, { cause });
    });
  if (!program?.executable) {
    throw new ClusterUnusable(`${who} has no Subscriptions program (${PROGRAM})`);
  }
  const { defaultMint } = config;
  const { value: mint } = await rpc
    .getAccountInfo(defaultMint, { commitment: 'confirmed', encoding: 'jsonParsed' })
    .send()
    .catch((cause: unknown) => {
      throw new ClusterUnusable(`${who} cannot be reached: ${rootMessage(cause)}`, { cause });
    });
  const isMint = mint && 'parsed' in mint.data && mint.data.parsed.type === 'mint';
  if (!isMint) {
    throw new ClusterUnusable(`${who} has no token with the mint ${defaultMint} (${environment}_USDC_MINT)`);
  }
}
