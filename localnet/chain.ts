import type { Commitment } from './accounts.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, BlockhashQueue } from './blockhashes.ts';
import type { NetworkClock } from './clock.ts';
import type { Lag } from './faults.ts';
import type { Block, Ledger, TransactionRecord } from './ledger.ts';
import type { SlotUpdate } from './network-events.ts';
import { blockAfter } from './new-block.ts';
import { feeOf, type ParsedTransaction } from './transaction.ts';
import type { ClockTime } from './virtual-machine.ts';

/** A block is finalized when the slot begins that is this many slots after its own. */
export const SLOTS_TO_FINALITY = 32;

/** Called when a slot ends or begins, after the chain has changed. */
export interface ChainObserver {
  timeChanged(time: ClockTime): void;
  slotChanged(update: SlotUpdate): void;
  blockCompleted(block: Block): void;
}

export interface ChainOptions {
  /** Past blocks, oldest first; never empty. All are finalized. */
  readonly past: readonly Block[];
  readonly slotMs: number;
  readonly clock: NetworkClock;
  readonly ledger: Ledger;
  readonly observer: ChainObserver;
}

/** The result of a transaction, for its record. */
export type Outcome = Omit<
  TransactionRecord,
  'signature' | 'slot' | 'index' | 'blockTime' | 'transaction' | 'fee'
>;

/**
 * Slots, blocks and their commitments: a block is confirmed when the next slot begins, and
 * finalized 32 slots after its own. After ending a slot the caller must begin another. The time of
 * a slot is fixed when it begins or, if slots have no length, at its first transaction.
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
  /** Transactions of the current slot. */
  #transactions: TransactionRecord[] = [];
  #lastBlock: Block;
  #finalizedBlock: Block;
  #unfinalized: Block[] = [];
  /** The lag of the called node; undefined if the node is not behind. */
  #lag: Lag | undefined;

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
    if (commitment !== 'processed') return this.#newest(commitment).slot;
    return this.#lag ? laggingSlot(this.#slot, this.#lag) : this.#slot;
  }

  height(commitment: Commitment): number {
    if (commitment !== 'processed') return this.#newest(commitment).height;
    return this.#lag ? this.#newest('processed').height + 1 : this.#height;
  }

  /** The commitment of a slot. */
  commitmentOf(slot: number): Commitment {
    if (slot <= this.#newest('finalized').slot) return 'finalized';
    return slot <= this.#newest('confirmed').slot ? 'confirmed' : 'processed';
  }

  /** Whether the chain is currently shown as seen by a node that is behind. */
  get isLagging(): boolean {
    return this.#lag !== undefined;
  }

  /**
   * Calls `run` with slots, blocks and commitments as a node with this lag sees them. Without a lag
   * they are the newest.
   */
  seenWith<T>(lag: Lag | undefined, run: () => T): T {
    const before = this.#lag;
    this.#lag = lag;
    try {
      return run();
    } finally {
      this.#lag = before;
    }
  }

  /** The oldest slot whose state a node with one of these lags can still show. */
  oldestVisible(lags: Iterable<Lag>): number {
    let oldest = this.#finalizedBlock.slot;
    for (const lag of lags) {
      oldest = Math.min(
        oldest,
        this.seenWith(lag, () => this.slot('finalized')),
      );
    }
    return oldest;
  }

  /** Unix seconds of the current slot. */
  unixSeconds(): number {
    this.followClock();
    return this.#slotTime;
  }

  /**
   * The time at a commitment. Null if slots have no length: then every commitment has the current
   * time.
   */
  timeAt(commitment: Commitment): ClockTime | null {
    const { slot, time } = this.#newest(commitment);
    return this.#slotMs > 0 ? { slot, unixSeconds: time } : null;
  }

  latestBlockhash(commitment: Commitment): { blockhash: string; lastValidBlockHeight: number } {
    const { blockhash, height } = this.#newest(commitment);
    return { blockhash, lastValidBlockHeight: height + BLOCKHASH_LIFETIME_BLOCKS };
  }

  /** Whether a transaction with the hash could land after the newest block at `commitment`. */
  isBlockhashValid(blockhash: string, commitment: Commitment): boolean {
    return this.#blockhashes.isUsableAt(blockhash, this.#newest(commitment).height + 1);
  }

  /** Whether a transaction with the hash could land in `slot`, the current one or a later one. */
  isBlockhashUsableIn(slot: number, blockhash: string): boolean {
    return this.#blockhashes.isUsableAt(blockhash, this.#height + slot - this.#slot);
  }

  /** Whether the transaction has landed, as seen at the commitment. */
  hasLanded(transaction: ParsedTransaction, commitment: Commitment): boolean {
    const slot = this.#blockhashes.landedAt(transaction.blockhash, transaction.signatures[0] ?? '');
    return slot !== undefined && slot <= this.slot(commitment);
  }

  /** At most `count` consecutive completed blocks, newest first. */
  recentBlocks(count: number): Block[] {
    const recent: Block[] = [];
    let block: Block | undefined = this.#lastBlock;
    while (block && recent.length < count) {
      recent.push(block);
      block = this.#ledger.block(block.parentSlot);
    }
    return recent;
  }

  /** Adds an executed transaction to the current slot. */
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

  /** Completes the block of the current slot. */
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

  /** Begins a slot, which confirms the completed block. Must follow `endSlot`. */
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

  /**
   * Sets the time of the current slot to the clock's if slots have no length. Such a slot lasts
   * until it has a transaction, and its time is fixed then.
   */
  followClock(): void {
    if (this.#slotMs > 0 || this.#transactions.length > 0) return;
    if (Math.floor(this.#clock.nowMs() / 1000) > this.#slotTime) this.#beginTime();
  }

  // The newest complete block: at `processed` it is the one before the block in progress.
  #newest(commitment: Commitment): Block {
    if (this.#lag) return this.#newestOf(this.#lag, commitment);
    return commitment === 'finalized' ? this.#finalizedBlock : this.#lastBlock;
  }

  #newestOf(lag: Lag, commitment: Commitment): Block {
    const slot = laggingSlot(this.#slot, lag);
    const newestSlot = commitment === 'finalized' ? Math.max(lag.floor, slot - SLOTS_TO_FINALITY) : slot - 1;
    let block = this.#lastBlock;
    while (block.slot > newestSlot) {
      const parent = this.#ledger.block(block.parentSlot);
      if (!parent) break;
      block = parent;
    }
    return block;
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
    // The machine's clock may be set back, but the chain's time never goes back.
    this.#slotTime = Math.max(this.#slotTime, Math.floor(this.#clock.nowMs() / 1000));
    this.#observer.timeChanged({ slot: this.#slot, unixSeconds: this.#slotTime });
  }
}

/** The slot in progress, as seen by a node that is behind. */
function laggingSlot(slot: number, { slots, floor }: Lag): number {
  return Math.max(slot - slots, Math.min(slot, floor + 1));
}
