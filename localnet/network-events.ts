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
 * What happens on the network, told synchronously and in the order a cluster tells it: a transaction's account
 * writes, then the transaction; at the end of a slot its block, then what became confirmed and finalized.
 */
export interface NetworkEvents {
  account: [AccountWrite];
  transaction: [TransactionRecord];
  block: [Block];
  slot: [SlotUpdate];
}
