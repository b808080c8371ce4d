import type { Address } from '@solana/kit';
import type { Chain } from './chain.ts';
import { readAccounts } from './read-accounts.ts';

/** Behind authority and supply; the same in both token programs. */
const DECIMALS_AT = 44;

/** How many digits of a token's base units stand behind the point. */
export async function mintDecimals(chain: Chain, mint: Address): Promise<number> {
  const [account] = await readAccounts(chain, [mint]);
  const decimals = account?.data[DECIMALS_AT];
  if (decimals === undefined) throw new Error(`There is no mint ${mint} on this cluster`);
  return decimals;
}
