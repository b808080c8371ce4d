import { type Address, address } from '@solana/kit';
import { DEVNET_USDC, MAINNET_USDC } from '../../../config/variables/cluster.ts';
import type { ChainName } from '../../chain-state/cluster/chain-name.ts';

export interface AssetName {
  readonly symbol: string;
  readonly name: string;
  /** An https URL. */
  readonly logoUrl?: string | undefined;
}

interface KnownAsset extends AssetName {
  readonly mint: Address;
  readonly chain: ChainName;
}

/** EURC has the same mint on Mainnet and Devnet. */
const EURC = {
  mint: address('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'),
  symbol: 'EURC',
  name: 'Euro Coin',
};

/**
 * Stablecoins of the classic token program: https://developers.circle.com/stablecoins and
 * https://tether.to/en/supported-protocols
 */
export const KNOWN_ASSETS: readonly KnownAsset[] = [
  { chain: 'solana:mainnet', mint: MAINNET_USDC, symbol: 'USDC', name: 'USD Coin' },
  { chain: 'solana:devnet', mint: DEVNET_USDC, symbol: 'USDC', name: 'USD Coin' },
  {
    chain: 'solana:mainnet',
    mint: address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
    symbol: 'USDT',
    name: 'Tether USD',
  },
  { chain: 'solana:mainnet', ...EURC },
  { chain: 'solana:devnet', ...EURC },
];
