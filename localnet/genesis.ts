import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Address } from '@solana/kit';
import { getMintEncoder } from '@solana-program/token';
import type { AccountState } from './accounts.ts';
import type { Network } from './network.ts';
import { TOKEN_PROGRAM } from './token.ts';
import { UnreadableProgram } from './virtual-machine.ts';

export const SUBSCRIPTIONS_PROGRAM = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44' as Address;
/**
 * Circle's USDC on Devnet. The local mint has the same address, so configurations work for both.
 */
export const USDC_MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' as Address;
const USDC_DECIMALS = 6;

/** This repository's own implementation of the program, used if no other binary is named. */
export const OWN_PROGRAM_FILE = fileURLToPath(new URL('./program/subscriptions.so', import.meta.url));

/**
 * The value of LOCALNET_PROGRAM: the path of the program that every local network loads, for
 * `npm start`, the demo, chaos and the tests. Undefined if it is not set.
 */
export function programFromEnvironment(): string | undefined {
  return process.env.LOCALNET_PROGRAM || undefined;
}

/** @throws UnreadableProgram */
export function readProgram(path: string): Promise<Uint8Array> {
  return readFile(path).catch((cause: Error) => {
    throw new UnreadableProgram(`cannot read the program ${path}: ${cause.message}`, { cause });
  });
}

/**
 * Creates the USDC mint, or writes `cloned`. Our mint has no mint authority: balances come from
 * `surfnet_setTokenAccount`.
 */
export function createUsdc(network: Network, cloned?: AccountState): void {
  const data = getMintEncoder().encode({
    mintAuthority: null,
    supply: 0n,
    decimals: USDC_DECIMALS,
    isInitialized: true,
    freezeAuthority: null,
  }) as Uint8Array;
  const lamports = network.rentExemptMinimum(data.length);
  network.setGenesisAccount(USDC_MINT, cloned ?? { lamports, data, owner: TOKEN_PROGRAM, executable: false });
}
