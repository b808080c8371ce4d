import type { Address } from '@solana/kit';

export const KEY_BYTES = 32;

export interface Meta {
  readonly address: Address;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** One instruction of a transaction. */
export interface Call {
  readonly program: Address;
  readonly accounts: readonly Meta[];
  readonly data: Uint8Array;
}

/** An account of a call. `s` marks a signer, `w` a writable account. */
export function meta(address: Address, use: '' | 's' | 'w' | 'sw' = ''): Meta {
  return { address, signer: use.includes('s'), writable: use.includes('w') };
}
