import type { Address } from '@solana/kit';
import { DEVNET_USDC, MAINNET_USDC } from '../config/cluster-config.ts';
import type { Chain } from './chain.ts';
import { readAccounts } from './read-accounts.ts';

/** Behind authority and supply; the same in both token programs. */
const DECIMALS_AT = 44;

/** https://developers.circle.com/stablecoins/usdc-contract-addresses; a mint's decimals never change. */
const KNOWN = new Map<Address, number>([
  [DEVNET_USDC, 6],
  [MAINNET_USDC, 6],
]);

/** The same as `mintDecimals`, of what most plans are paid in, without asking a cluster. */
export function knownDecimals(mint: Address): number | undefined {
  return KNOWN.get(mint);
}

/** How many digits of a token's base units stand behind the point. */
export async function mintDecimals(chain: Chain, mint: Address): Promise<number> {
  const [account] = await readAccounts(chain, [mint]);
  const decimals = account?.data[DECIMALS_AT];
  if (decimals === undefined) throw new Error(`There is no mint ${mint} on this cluster`);
  return decimals;
}
