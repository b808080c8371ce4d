import type { Address } from '@solana/kit';
import type { ParsedTransaction } from './transaction.ts';
import type { TransactionError } from './transaction-error.ts';

export interface InnerInstruction {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  readonly amount: bigint;
  readonly decimals: number;
}

/** A landed transaction, successful or not, with everything that the cluster reports about it. */
export interface TransactionRecord {
  readonly signature: string;
  readonly slot: number;
  /** Index in its block, from 0. */
  readonly index: number;
  /** Unix seconds of its block. */
  readonly blockTime: number;
  readonly transaction: ParsedTransaction;
  /** Static keys, then writable and then read-only ones loaded from lookup tables. */
  readonly accountKeys: readonly Address[];
  readonly loaded: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
  readonly err: TransactionError | null;
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  readonly logs: readonly string[];
  /** Instructions that called others, by index, with their calls. */
  readonly innerInstructions: readonly {
    readonly index: number;
    readonly instructions: readonly InnerInstruction[];
  }[];
  readonly computeUnits: number;
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
}

export interface Block {
  readonly slot: number;
  readonly parentSlot: number;
  readonly height: number;
  readonly blockhash: string;
  readonly parentBlockhash: string;
  /** Unix seconds. */
  readonly time: number;
  readonly transactions: readonly TransactionRecord[];
}

/**
 * The bounded history of the network. Beyond `maxTransactions` transactions or `maxBlocks` blocks
 * the oldest blocks are dropped with their transactions.
 */
export class Ledger {
  #blocks = new Map<number, Block>();
  #bySignature = new Map<string, TransactionRecord>();
  #byAddress = new Map<Address, Map<string, TransactionRecord>>();
  #maxTransactions: number;
  #maxBlocks: number;
  #transactionsEver = 0;

  constructor(maxTransactions: number, maxBlocks: number) {
    this.#maxTransactions = maxTransactions;
    this.#maxBlocks = maxBlocks;
  }

  /** Adds a processed transaction, so that it can be found before its block is complete. */
  addTransaction(record: TransactionRecord): void {
    this.#bySignature.set(record.signature, record);
    this.#transactionsEver += 1;
    for (const address of record.accountKeys) {
      const records = this.#byAddress.get(address);
      if (records) records.set(record.signature, record);
      else this.#byAddress.set(address, new Map([[record.signature, record]]));
    }
  }

  addBlock(block: Block): void {
    this.#blocks.set(block.slot, block);
    while (this.#bySignature.size > this.#maxTransactions || this.#blocks.size > this.#maxBlocks) {
      const oldest = this.#blocks.values().next().value;
      if (!oldest || oldest === block) break;
      this.#drop(oldest);
    }
  }

  /** Removes the transaction from its block. */
  forget(record: TransactionRecord): void {
    this.#dropTransaction(record);
    const block = this.#blocks.get(record.slot);
    if (!block) return;
    const transactions = block.transactions.filter(({ signature }) => signature !== record.signature);
    this.#blocks.set(record.slot, { ...block, transactions });
  }

  transaction(signature: string): TransactionRecord | undefined {
    return this.#bySignature.get(signature);
  }

  block(slot: number): Block | undefined {
    return this.#blocks.get(slot);
  }

  /** The blocks that have not been dropped, oldest first. */
  blocks(): IterableIterator<Block> {
    return this.#blocks.values();
  }

  get firstSlot(): number | undefined {
    return this.#blocks.keys().next().value;
  }

  /**
   * Transactions that landed since genesis, or since the oldest block of the state from which the
   * network was loaded. Dropped ones count too.
   */
  get transactionCount(): number {
    return this.#transactionsEver;
  }

  /** Transactions that name the address, newest first. */
  transactionsOf(address: Address): TransactionRecord[] {
    return [...(this.#byAddress.get(address)?.values() ?? [])].reverse();
  }

  #drop(block: Block): void {
    this.#blocks.delete(block.slot);
    for (const record of block.transactions) this.#dropTransaction(record);
  }

  #dropTransaction(record: TransactionRecord): void {
    this.#bySignature.delete(record.signature);
    for (const address of record.accountKeys) {
      const records = this.#byAddress.get(address);
      records?.delete(record.signature);
      if (records?.size === 0) this.#byAddress.delete(address);
    }
  }
}
