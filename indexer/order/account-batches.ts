import { setTimeout as wait } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import { isOlder, type SeenAccount } from './seen-account.ts';

interface Limits {
  /** The time for which the first account of a batch waits for others. */
  readonly waitMs: number;
  /** Maximum accounts per batch. */
  readonly batch: number;
  /** Maximum updates that wait or run; at the maximum `waitForRoom` waits. */
  readonly pending: number;
}

/**
 * Remaining work for some accounts of a batch, resolving to false if it failed or was dropped. The
 * other accounts are done.
 */
export type Leftover = ReadonlyMap<Address, Promise<boolean>>;

/** The newest waiting state of one account, and the number of updates that it stands for. */
interface WaitingAccount {
  seen: SeenAccount;
  updates: number;
  readonly done: PromiseWithResolvers<boolean>;
}

/**
 * Applies accounts in batches. A mirror needs only the newest state, so the newest waiting state of
 * an account replaces the older ones. While a state of an account is being applied, the account's
 * next state waits. This class uses no network and no database.
 */
export class AccountBatches {
  #limits: Limits;
  #apply: (batch: readonly SeenAccount[]) => Promise<Leftover>;
  #onFailure: (error: unknown) => void;
  #waiting = new Map<Address, WaitingAccount>();
  #applying = new Set<WaitingAccount>();
  /** Accounts with remaining work after their batch. */
  #busy = new Set<Address>();
  #pending = 0;
  #isRunning = false;
  #isStopped = false;
  #changed = Promise.withResolvers<void>();

  /** If a batch fails, no other batch starts, and `onFailure` is called once. */
  constructor(
    limits: Limits,
    apply: (batch: readonly SeenAccount[]) => Promise<Leftover>,
    onFailure: (error: unknown) => void,
  ) {
    this.#limits = limits;
    this.#apply = apply;
    this.#onFailure = onFailure;
  }

  /**
   * Resolves to true when this state or a newer one was applied, and to false if it failed or was
   * dropped.
   */
  add(seen: SeenAccount): Promise<boolean> {
    if (this.#isStopped) return Promise.resolve(false);
    this.#pending += 1;
    const before = this.#waiting.get(seen.address);
    if (before) {
      before.updates += 1;
      if (!isOlder(seen, before.seen)) before.seen = seen;
      return before.done.promise;
    }
    const done = Promise.withResolvers<boolean>();
    this.#waiting.set(seen.address, { seen, updates: 1, done });
    this.#start();
    return done.promise;
  }

  /** Waits until another update is accepted. */
  async waitForRoom(): Promise<void> {
    while (this.#pending >= this.#limits.pending) await this.#changed.promise;
  }

  /** Waits until everything added so far is done. */
  async waitUntilFinished(): Promise<void> {
    const added = [...this.#waiting.values(), ...this.#applying];
    await Promise.all(added.map(({ done }) => done.promise));
  }

  /** Drops the updates that have not started. */
  stop(): void {
    this.#isStopped = true;
    for (const waiting of this.#waiting.values()) this.#end(waiting, false);
    this.#waiting.clear();
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  #start(): void {
    if (!this.#isRunning && this.#waiting.size > 0) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await wait(this.#limits.waitMs);
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#applyBatch(batch);
    this.#isRunning = false;
  }

  async #applyBatch(batch: readonly WaitingAccount[]): Promise<void> {
    try {
      const leftover = await this.#apply(batch.map(({ seen }) => seen));
      for (const waiting of batch) {
        const remainingWork = leftover.get(waiting.seen.address);
        if (remainingWork) void this.#finishLater(waiting, remainingWork);
        else this.#end(waiting, true);
      }
    } catch (error) {
      if (!this.#isStopped) this.#onFailure(error);
      this.stop();
      for (const waiting of batch) this.#end(waiting, false);
    }
  }

  async #finishLater(waiting: WaitingAccount, remainingWork: Promise<boolean>): Promise<void> {
    const { address } = waiting.seen;
    this.#busy.add(address);
    const isDone = await remainingWork;
    this.#busy.delete(address);
    this.#end(waiting, isDone);
    this.#start();
  }

  #next(): WaitingAccount[] {
    const batch: WaitingAccount[] = [];
    for (const [address, waiting] of this.#waiting) {
      if (batch.length === this.#limits.batch) break;
      if (this.#busy.has(address)) continue;
      this.#waiting.delete(address);
      this.#applying.add(waiting);
      batch.push(waiting);
    }
    return batch;
  }

  #end(waiting: WaitingAccount, isDone: boolean): void {
    const { updates, done } = waiting;
    this.#applying.delete(waiting);
    this.#pending -= updates;
    done.resolve(isDone);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
