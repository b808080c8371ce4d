import type { ClusterConfig } from '../../../config/cluster-config.ts';
import type { ChainName } from './chain-name.ts';

const SOLANA_EXPLORER = 'https://explorer.solana.com/{path}';

/**
 * Returns the URL of a cluster's explorer, with `{path}` for `tx/<signature>` or
 * `address/<address>`. The default is Solana Explorer. For a local network, the browser itself
 * reads the node.
 */
export function explorerUrlOf(
  { explorerUrl, rpcUrl }: Pick<ClusterConfig, 'explorerUrl' | 'rpcUrl'>,
  chain: ChainName,
): string {
  if (explorerUrl !== undefined) return explorerUrl;
  if (chain === 'solana:mainnet') return SOLANA_EXPLORER;
  if (chain === 'solana:devnet') return `${SOLANA_EXPLORER}?cluster=devnet`;
  // The path and the query are left out, because providers put keys into them.
  const { origin } = new URL(rpcUrl);
  return `${SOLANA_EXPLORER}?cluster=custom&customUrl=${encodeURIComponent(origin)}`;
}
