import type { Commitment } from './accounts.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, BlockhashQueue } from './blockhashes.ts';
import type { NetworkClock } from './clock.ts';
import type { Block, Ledger, TransactionRecord } from './ledger.ts';
import type { SlotUpdate } from './network-events.ts';
import { blockAfter } from './new-block.ts';
import { feeOf, type ParsedTransaction } from './transaction.ts';
import type { ClockTime } from './virtual-machine.ts';

export const SLOTS_TO_FINALITY = 32;

/** Called while a slot ends or begins, when the chain already says the same. */
export interface ChainObserver {
  timeChanged(time: ClockTime): void;
  slotChanged(update: SlotUpdate): void;
  blockCompleted(block: Block): void;
}

export interface ChainOptions {
  /** Blocks until now, oldest first; never empty. All of them are final. */
  readonly past: readonly Block[];
  readonly slotMs: number;
  readonly clock: NetworkClock;
  readonly ledger: Ledger;
  readonly observer: ChainObserver;
}

/** What running a transaction gave, for its record. */
export type Outcome = Omit<
  TransactionRecord,
  'signature' | 'slot' | 'index' | 'blockTime' | 'transaction' | 'fee'
>;

/**
 * Slots, their blocks and how far these have come: a block is confirmed when the next slot begins and final 32 slots
 * later. Whoever ends a slot must begin another; the time of a slot is fixed when it begins.
 */
export class Chain {
  readonly #slotMs: number;
  readonly #clock: NetworkClock;
  readonly #ledger: Ledger;
  readonly #observer: ChainObserver;
  readonly #blockhashes = new BlockhashQueue();
  #slot: number;
  #height: number;
  /** Unix seconds. */
  #slotTime = 0;
  /** Of the current slot. */
  #transactions: TransactionRecord[] = [];
  #lastBlock: Block;
  #finalizedBlock: Block;
  #unfinalized: Block[] = [];

  constructor({ past, slotMs, clock, ledger, observer }: ChainOptions) {
    this.#slotMs = slotMs;
    this.#clock = clock;
    this.#ledger = ledger;
    this.#observer = observer;
    for (const block of past) this.#restore(block);
    this.#lastBlock = this.#finalizedBlock = past.at(-1) as Block;
    this.#slot = this.#lastBlock.slot + 1;
    this.#height = this.#lastBlock.height + 1;
    this.#beginTime();
  }

  slot(commitment: Commitment): number {
    return commitment === 'processed' ? this.#slot : this.#newest(commitment).slot;
  }

  height(commitment: Commitment): number {
    return commitment === 'processed' ? this.#height : this.#newest(commitment).height;
  }

  /** How far a slot has come. */
  commitmentOf(slot: number): Commitment {
    if (slot <= this.#finalizedBlock.slot) return 'finalized';
    return slot <= this.#lastBlock.slot ? 'confirmed' : 'processed';
  }

  /** Unix seconds of the current slot. */
  unixSeconds(): number {
    this.followClock();
    return this.#slotTime;
  }

  /** The time that a commitment stands at; null where slots have no length, so that all stand at one instant. */
  timeAt(commitment: Commitment): ClockTime | null {
    const { slot, time } = this.#newest(commitment);
    return this.#slotMs > 0 ? { slot, unixSeconds: time } : null;
  }

  latestBlockhash(commitment: Commitment): { blockhash: string; lastValidBlockHeight: number } {
    const { blockhash, height } = this.#newest(commitment);
    return { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFETIME_BLOCKS };
  }

  /** Whether a transaction naming the hash could land in the block after the newest that has reached `commitment`. */
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    return this.#blockhashes.isUsableAt(blockhash, this.#newest(commitment).height + 1);
  }

  /** Whether a transaction naming the hash could land in `slot`, the current one or a later one. */
  isBlockhashUsableIn(slot: number, blockhash: string): boolean {
    return this.#blockhashes.isUsableAt(blockhash, this.#height + slot - this.#slot);
  }

  /** True where a bank at the commitment knows that the transaction has landed. */
  hasLanded(transaction: ParsedTransaction, commitment: Commitment): boolean {
    const slot = this.#blockhashes.landedAt(transaction.blockhash, transaction.signatures[0] ?? '');
    return slot !== undefined && slot <= this.slot(commitment);
  }

  /** At most `count` completed blocks that follow each other, newest first. */
  recentBlocks(count: number): Block[] {
    const recent: Block[] = [];
    let block: Block | undefined = this.#lastBlock;
    while (block && recent.length < count) {
      recent.push(block);
      block = this.#ledger.block(block.parentSlot);
    }
    return recent;
  }

  /** Takes a transaction that was run into the current slot. */
  add(transaction: ParsedTransaction, outcome: Outcome): TransactionRecord {
    const record: TransactionRecord = {
      signature: transaction.signatures[0] as string,
      slot: this.#slot,
      index: this.#transactions.length,
      blockTime: this.#slotTime,
      transaction,
      fee: feeOf(transaction),
      ...outcome,
    };
    this.#blockhashes.markLanded(transaction.blockhash, record.signature, record.slot);
    this.#transactions.push(record);
    this.#ledger.addTransaction(record);
    return record;
  }

  endSlot(): void {
    const { slot: parent } = this.#lastBlock;
    const block = blockAfter(this.#lastBlock, {
      slot: this.#slot,
      height: this.#height,
      time: this.#slotTime,
      transactions: this.#transactions,
    });
    this.#remember(block, this.#finalizedBlock);
    this.#unfinalized.push(block);
    this.#lastBlock = block;
    this.#transactions = [];
    this.#observer.slotChanged({ slot: block.slot, parent, status: 'completed' });
    this.#observer.blockCompleted(block);
    this.#observer.slotChanged({ slot: block.slot, parent, status: 'processed' });
  }

  /** Only after `endSlot`. What has just been completed is confirmed by it. */
  beginSlot(slot: number): void {
    const { slot: parent, parentSlot: grandparent } = this.#lastBlock;
    this.#height += slot - this.#slot;
    this.#slot = slot;
    this.#beginTime();
    this.#observer.slotChanged({ slot, parent, status: 'firstShredReceived' });
    this.#observer.slotChanged({ slot, parent, status: 'createdBank' });
    this.#observer.slotChanged({ slot: parent, parent: grandparent, status: 'confirmed' });
    this.#finalize();
  }

  /** A slot without a length lasts until something happens in it, and then it is as if it had just begun. */
  followClock(): void {
    if (this.#slotMs > 0 || this.#transactions.length > 0) return;
    if (Math.floor(this.#clock.nowMs() / 1000) > this.#slotTime) this.#beginTime();
  }

  // The newest complete one: at `processed` that is the one before the block in progress.
  #newest(commitment: Commitment): Block {
    return commitment === 'finalized' ? this.#finalizedBlock : this.#lastBlock;
  }

  #finalize(): void {
    while (this.#unfinalized[0] && this.#unfinalized[0].slot + SLOTS_TO_FINALITY <= this.#slot) {
      this.#finalizedBlock = this.#unfinalized.shift() as Block;
      const { slot, parentSlot } = this.#finalizedBlock;
      this.#observer.slotChanged({ slot, parent: parentSlot, status: 'finalized' });
    }
  }

  #restore(block: Block): void {
    for (const record of block.transactions) {
      this.#ledger.addTransaction(record);
      this.#blockhashes.markLanded(record.transaction.blockhash, record.signature, record.slot);
    }
    this.#remember(block, block);
  }

  #remember(block: Block, finalized: Block): void {
    this.#ledger.addBlock(block);
    this.#blockhashes.add(block.blockhash, block.height, finalized.height);
  }

  #beginTime(): void {
    // The wall's clock may be set back; a chain's never is.
    this.#slotTime = Math.max(this.#slotTime, Math.floor(this.#clock.nowMs() / 1000));
    this.#observer.timeChanged({ slot: this.#slot, unixSeconds: this.#slotTime });
  }
}
