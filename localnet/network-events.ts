import type { AccountWrite } from './accounts.ts';
import type { Block, TransactionRecord } from './ledger.ts';

export interface SlotUpdate {
  readonly slot: number;
  readonly parent: number;
  readonly status:
    | 'firstShredReceived'
    | 'createdBank'
    | 'completed'
    | 'processed'
    | 'confirmed'
    | 'finalized';
}

/**
 * Events of the network, emitted synchronously and in the order of a cluster: a transaction's
 * account writes, then the transaction; at the end of a slot its block, then the slots that became
 * confirmed and finalized.
 */
export interface NetworkEvents {
  account: [AccountWrite];
  transaction: [TransactionRecord];
  block: [Block];
  slot: [SlotUpdate];
}
