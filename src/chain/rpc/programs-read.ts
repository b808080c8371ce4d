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

/**
 * The programs whose data is read even if it is long. The subscriptions program ignores bytes after
 * its fields, so a long instruction may close an account. Refunds and memos of dues are short.
 */
export const PROGRAMS_READ_IF_LONG: ReadonlySet<Address> = new Set([SUBSCRIPTIONS_PROGRAM_ADDRESS]);
