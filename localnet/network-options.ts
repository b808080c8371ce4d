import type { Address } from '@solana/kit';
import type { AccountWrite } from './accounts.ts';
import type { Block } from './ledger.ts';

export interface NetworkOptions {
  /** Length of a slot in ms; 0 makes every transaction a slot of its own. Default 250. */
  readonly slotMs?: number;
  /** Programs to load at genesis, beside the SPL ones that LiteSVM ships. */
  readonly programs?: readonly { readonly address: Address; readonly elf: Uint8Array }[];
  /** Chain time at genesis, in ms since the epoch. Default: now. */
  readonly startMs?: number;
  /** How many transactions are remembered; default 20,000. */
  readonly maxTransactions?: number;
  /** How many blocks are remembered; default 50,000. */
  readonly maxBlocks?: number;
  /** What `save()` returned, to go on from there. */
  readonly state?: NetworkState;
}

/** A saved network, in types that v8.serialize keeps. */
export interface NetworkState {
  readonly format: 1;
  readonly vm: Uint8Array;
  readonly timeMs: number;
  readonly paused: boolean;
  readonly writeVersion: number;
  readonly accounts: readonly AccountWrite[];
  /** Oldest first; never empty. The newest is where the chain goes on. */
  readonly blocks: readonly Block[];
  /** Wall time of saving. Files of older releases have neither this nor what follows. */
  readonly savedAtMs?: number;
  /** Delayed transactions, and the slots where they are to land. */
  readonly pending?: readonly { readonly slot: number; readonly wire: Uint8Array }[];
}
