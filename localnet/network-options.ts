import type { Address } from '@solana/kit';
import type { AccountWrite } from './accounts.ts';
import type { Block } from './ledger.ts';

export interface NetworkOptions {
  /** Length of a slot in ms; 0 gives every transaction its own slot. Default 250. */
  readonly slotMs?: number;
  /** Programs to load at genesis, besides the SPL ones of LiteSVM. */
  readonly programs?: readonly { readonly address: Address; readonly elf: Uint8Array }[];
  /** Chain time at genesis, in ms since the epoch. Default: now. */
  readonly startMs?: number;
  /** Maximum transactions kept; default 20,000. */
  readonly maxTransactions?: number;
  /** Maximum blocks kept; default 50,000. */
  readonly maxBlocks?: number;
  /** The result of `save()`, to continue from. */
  readonly state?: NetworkState;
}

/** A saved network, in types that v8.serialize supports. */
export interface NetworkState {
  readonly format: 1;
  readonly vm: Uint8Array;
  readonly timeMs: number;
  readonly paused: boolean;
  readonly writeVersion: number;
  readonly accounts: readonly AccountWrite[];
  /** Oldest first; never empty. The chain continues after the newest. */
  readonly blocks: readonly Block[];
  /** The machine's time of saving. Files of older releases lack this and the following fields. */
  readonly savedAtMs?: number;
  /** Delayed transactions and the slots in which they land. */
  readonly pending?: readonly { readonly slot: number; readonly wire: Uint8Array }[];
  readonly genesisHash?: string;
}
