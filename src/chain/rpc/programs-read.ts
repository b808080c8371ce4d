import type { Address } from '@solana/kit';
import { SUBSCRIPTIONS_PROGRAM_ADDRESS } from '@solana/subscriptions';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';

/** SPL Memo stores a public text with a transaction. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address;

/**
 * The programs whose instruction data dues reads. Anyone can name a transaction in which dozens of
 * calls of another program have 10 KiB of data each; decoding all of it would take seconds.
 */
export const PROGRAMS_READ: ReadonlySet<Address> = new Set([
  SUBSCRIPTIONS_PROGRAM_ADDRESS,
  MEMO_PROGRAM,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_2022_PROGRAM,
]);
