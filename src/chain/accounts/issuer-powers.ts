import type { Address } from '@solana/kit';
import { keepNewest } from '../../async/keep-newest.ts';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Chain } from '../chain.ts';
import { TOKEN_2022_PROGRAM } from '../rpc/programs-read.ts';
import { readAccounts } from './read-accounts.ts';
import { type IssuerPowers, issuerPowers } from './token-extensions.ts';

/** Maximum cached mints of a cluster; the oldest is dropped first. */
const MAX_CACHED = 1_000;

/** Powers read before, by cluster. An issuer can give up a power, and cannot get it back. */
const powersCaches = new WeakMap<ClusterConfig, Map<Address, IssuerPowers>>();

/**
 * What the issuer of a Token-2022 mint can do with the tokens of others; null for other tokens, and
 * for a mint that the cluster does not have. Each mint is read once.
 */
export async function readIssuerPowers(
  chain: Chain,
  { mint, tokenProgram }: { readonly mint: Address; readonly tokenProgram: Address },
): Promise<IssuerPowers | null> {
  if (tokenProgram !== TOKEN_2022_PROGRAM) return null;
  const cache = powersCaches.get(chain.config) ?? new Map<Address, IssuerPowers>();
  powersCaches.set(chain.config, cache);
  const known = cache.get(mint);
  if (known) return known;
  const [account] = await readAccounts(chain, [mint], 'extensions');
  if (!account) return null;
  const powers = issuerPowers(account.data);
  keepNewest(cache, mint, powers, MAX_CACHED);
  return powers;
}
