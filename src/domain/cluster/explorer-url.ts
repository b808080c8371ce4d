import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { ChainName } from './chains.ts';

const SOLANA_EXPLORER = 'https://explorer.solana.com/{path}';

/**
 * The explorer of a cluster, with `{path}` for `tx/<signature>` or `address/<address>`. The default
 * is Solana Explorer, which reads a local network through the browser of its user.
 */
export function explorerUrlOf(
  { explorerUrl, rpcUrl }: Pick<ClusterConfig, 'explorerUrl' | 'rpcUrl'>,
  chain: ChainName,
): string {
  if (explorerUrl !== undefined) return explorerUrl;
  if (chain === 'solana:mainnet') return SOLANA_EXPLORER;
  if (chain === 'solana:devnet') return `${SOLANA_EXPLORER}?cluster=devnet`;
  // Without the path and the query, because providers put keys into them.
  const { origin } = new URL(rpcUrl);
  return `${SOLANA_EXPLORER}?cluster=custom&customUrl=${encodeURIComponent(origin)}`;
}
