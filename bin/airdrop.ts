import { setTimeout as wait } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '../localnet/accounts.ts';
import type { Network } from '../localnet/network.ts';

const ENOUGH_LAMPORTS = 10_000_000_000n;

/**
 * Ensures that a wallet of the local network can pay fees; resolves when all clients see the
 * balance.
 */
export async function airdropLamports(network: Network, wallet: Address): Promise<void> {
  const account = network.getAccount(wallet, 'processed');
  if (!account || account.lamports < ENOUGH_LAMPORTS) {
    network.setAccount(wallet, {
      lamports: ENOUGH_LAMPORTS,
      owner: account?.owner ?? SYSTEM_PROGRAM,
      data: account?.data ?? new Uint8Array(),
      executable: false,
    });
  }
  while ((network.getAccount(wallet, 'confirmed')?.lamports ?? 0n) < ENOUGH_LAMPORTS) await wait(20);
}
