import { publicPart, rootMessage } from '../../observability/public-urls.ts';
import { type Chain, ClusterUnusable } from '../chain.ts';
import { readNodeHash } from './each-node.ts';

/**
 * Reads the genesis hash from all nodes of the environment. Nodes that do not respond are skipped.
 *
 * @throws ClusterUnusable if no node responds, or the nodes belong to different clusters
 */
export async function readGenesisHash({ environment, config }: Chain): Promise<string> {
  const { rpcUrl, moreRpcUrls = [], sendRpcUrls = [], publicRpcUrls = [] } = config;
  const urls = [rpcUrl, ...moreRpcUrls, ...sendRpcUrls, ...publicRpcUrls];
  const answers = await Promise.allSettled(urls.map((url) => readNodeHash(url)));
  const nodeByHash = new Map<string, string>();
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') nodeByHash.set(answer.value, publicPart(urls[index] ?? ''));
  }
  const [hash, otherHash] = nodeByHash.keys();
  if (otherHash !== undefined) {
    const nodes = [...nodeByHash].map(([genesis, node]) => `${node} (genesis ${genesis})`).join(', ');
    throw new ClusterUnusable(`The nodes of ${environment} belong to different clusters: ${nodes}`);
  }
  if (hash !== undefined) return hash;
  const cause = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  throw new ClusterUnusable(
    `The ${environment} cluster at ${publicPart(rpcUrl)} cannot be reached: ${rootMessage(cause.reason)}`,
    { cause: cause.reason },
  );
}
