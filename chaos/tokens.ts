import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { USDC_MINT } from '../localnet/genesis.ts';

/** The token account of a wallet. */
export function tokenAccountOf(wallet: string): string {
  return getAssociatedTokenAddressSync(new PublicKey(USDC_MINT), new PublicKey(wallet)).toBase58();
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
