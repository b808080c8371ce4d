import type { Address } from '@solana/kit';
import type { AccountWrite, Commitment } from '../accounts.ts';
import type { Block, TransactionRecord } from '../ledger.ts';
import { listenTo } from '../listen.ts';
import type { Network } from '../network.ts';
import type { SlotUpdate } from '../network-events.ts';

/**
 * Receives the writes and transactions that reach a commitment: at `processed` one by one, at the
 * others a slot at a time.
 */
export interface CommitmentListener {
  /** The last write of each account in the slot. */
  writesReached(commitment: Commitment, slot: number, writes: Iterable<AccountWrite>): void;
  /** The slot's transactions, in order. */
  transactionsReached(commitment: Commitment, slot: number, records: readonly TransactionRecord[]): void;
}

/**
 * Reports every write and transaction at each of the three commitments. It keeps those that are not
 * finalized, because the ledger may drop their blocks sooner. A subscription that begins between
 * two commitments still gets the later one.
 *
 * Within a commitment a slot's writes come before its transactions.
 */
export class CommitmentFeed {
  #writes = new Map<number, Map<Address, AccountWrite>>();
  #transactions = new Map<number, readonly TransactionRecord[]>();
  #listener: CommitmentListener;
  readonly close: () => void;

  constructor(network: Network, listener: CommitmentListener) {
    this.#listener = listener;
    for (const { slot, transactions } of network.ledger.blocks()) {
      if (network.commitmentOf(slot) !== 'finalized') this.#transactions.set(slot, transactions);
    }
    this.close = listenTo(network, {
      account: this.#onAccount,
      transaction: this.#onTransaction,
      block: this.#onBlock,
      slot: this.#onSlot,
    });
  }

  #onAccount = (write: AccountWrite): void => {
    const written = this.#writes.get(write.slot);
    if (written) written.set(write.address, write);
    else this.#writes.set(write.slot, new Map([[write.address, write]]));
    this.#listener.writesReached('processed', write.slot, [write]);
  };

  #onTransaction = (record: TransactionRecord): void => {
    this.#listener.transactionsReached('processed', record.slot, [record]);
  };

  #onBlock = ({ slot, transactions }: Block): void => {
    if (transactions.length > 0) this.#transactions.set(slot, transactions);
  };

  #onSlot = ({ slot, status }: SlotUpdate): void => {
    if (status !== 'confirmed' && status !== 'finalized') return;
    const writes = this.#writes.get(slot);
    const records = this.#transactions.get(slot);
    if (status === 'finalized') {
      this.#writes.delete(slot);
      this.#transactions.delete(slot);
    }
    if (writes) this.#listener.writesReached(status, slot, writes.values());
    if (records) this.#listener.transactionsReached(status, slot, records);
  };
}
