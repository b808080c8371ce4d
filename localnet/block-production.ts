import { type Chain, SLOTS_TO_FINALITY } from './chain.ts';
import type { NetworkClock } from './clock.ts';
import type { ParsedTransaction } from './transaction.ts';

export const DEFAULT_SLOT_MS = 250;
/** Times and slots beyond these limits are not exact, here or in a client. */
const END_OF_TIME_MS = Date.UTC(10_000, 0, 1);
const LAST_SLOT = 2 ** 52;

/** A delayed transaction and the slot in which it lands. */
export interface DelayedTransaction {
  readonly slot: number;
  readonly transaction: ParsedTransaction;
}

export interface BlockProductionOptions {
  readonly chain: Chain;
  readonly clock: NetworkClock;
  /** 0: slots have no length and advance only by `tick` and `travel`. */
  readonly slotMs: number;
  readonly delayed: readonly DelayedTransaction[];
  readonly land: (transaction: ParsedTransaction) => void;
}

/**
 * Advances the chain with the slot timer and with travels. Delayed transactions land in the slots
 * that it begins.
 */
export class BlockProduction {
  readonly #chain: Chain;
  readonly #clock: NetworkClock;
  readonly #slotMs: number;
  readonly #land: (transaction: ParsedTransaction) => void;
  #delayed: DelayedTransaction[];
  #timer: NodeJS.Timeout | undefined;

  constructor({ chain, clock, slotMs, delayed, land }: BlockProductionOptions) {
    this.#chain = chain;
    this.#clock = clock;
    this.#slotMs = slotMs;
    this.#delayed = [...delayed];
    this.#land = land;
  }

  get delayed(): readonly DelayedTransaction[] {
    return this.#delayed;
  }

  start(): void {
    if (this.#slotMs === 0 || this.#timer) return;
    this.#timer = setInterval(() => {
      if (!this.#clock.paused) this.tick();
    }, this.#slotMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Lands the transaction after `slots` slots. */
  delay(transaction: ParsedTransaction, slots: number): void {
    this.#delayed.push({ slot: this.#slot + slots, transaction });
  }

  /** Ends the current slot and begins the next. */
  tick(): void {
    this.#chain.endSlot();
    this.#beginSlot(this.#slot + 1);
  }

  /**
   * @throws RangeError if the target is not ahead of the chain, or after the year 9999 or slot 2^52
   */
  travel(target: { slot: number } | { timeMs: number }): void {
    const nowMs = this.#clock.nowMs();
    let { slot, timeMs } = { slot: 0, timeMs: 0, ...target };
    if ('slot' in target) {
      if (slot <= this.#slot) throw new RangeError(`slot ${slot} is not after ${this.#slot}`);
      timeMs = nowMs + (slot - this.#slot) * this.#nominalSlotMs;
    } else {
      if (timeMs < nowMs) throw new RangeError(`time ${timeMs} is before the chain's ${nowMs}`);
      slot = this.#slot + Math.max(1, Math.round((timeMs - nowMs) / this.#nominalSlotMs));
    }
    if (!(slot <= LAST_SLOT && timeMs < END_OF_TIME_MS)) {
      throw new RangeError(`slot ${slot} at ${timeMs} ms is too far ahead`);
    }
    this.#moveTo(slot, timeMs);
  }

  /**
   * Advances the chain over a time in which it was not running. The slots of that time count, and
   * blockhashes expire as usual.
   */
  catchUp({ fromMs, gapMs }: { fromMs: number; gapMs: number }): void {
    const slots = Math.floor(gapMs / this.#nominalSlotMs);
    if (slots > 0) this.#moveTo(this.#slot + slots, fromMs + gapMs);
    else this.#clock.advance(gapMs);
  }

  get #slot(): number {
    return this.#chain.slot('processed');
  }

  get #nominalSlotMs(): number {
    return this.#slotMs || DEFAULT_SLOT_MS;
  }

  #beginSlot(slot: number): void {
    this.#chain.beginSlot(slot);
    const due = this.#delayed.filter((delayed) => delayed.slot <= slot);
    if (due.length === 0) return;
    this.#delayed = this.#delayed.filter((delayed) => delayed.slot > slot);
    for (const { transaction } of due) this.#land(transaction);
  }

  // 1. Delayed transactions that can still land do so in their slots, at most the lifetime of a
  //    blockhash ahead.
  // 2. The current slot ends, at its own time.
  // 3. After a long jump all older blockhashes have expired. Therefore up to two blocks are created
  //    before the target: when it begins, one is finalized and the other is confirmed.
  #moveTo(slot: number, timeMs: number): void {
    const landsBeforeTarget = (delayed: DelayedTransaction) =>
      delayed.slot < slot && this.#chain.isBlockhashUsableIn(delayed.slot, delayed.transaction.blockhash);
    while (this.#delayed.some(landsBeforeTarget)) {
      this.#clock.advance(this.#nominalSlotMs);
      this.tick();
    }
    this.#chain.endSlot();
    this.#clock.advance(Math.max(0, timeMs - this.#clock.nowMs()));
    for (const blockSlot of [slot - 1 - SLOTS_TO_FINALITY, slot - 1]) {
      if (blockSlot <= this.#slot) continue;
      this.#beginSlot(blockSlot);
      this.#chain.endSlot();
    }
    this.#beginSlot(Math.max(slot, this.#slot + 1));
  }
}
