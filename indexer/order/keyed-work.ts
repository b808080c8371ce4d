interface Limits {
  /** Maximum tasks that run in parallel. */
  readonly parallel: number;
  /** Maximum tasks that wait or run; at the maximum `waitForRoom` waits. */
  readonly pending: number;
}

/** Runs tasks of one key in order, and tasks of different keys in parallel. */
export class KeyedWork {
  #limits: Limits;
  #onFailure: (error: unknown) => void;
  #stopped = false;
  #pending = 0;
  #running = 0;
  /** The last task of each active key. */
  #tails = new Map<string, Promise<boolean>>();
  #waiting: (() => void)[] = [];
  #changed = Promise.withResolvers<void>();

  /** A task that fails stops everything: no other task starts, and `onFailure` is called once. */
  constructor(limits: Limits, onFailure: (error: unknown) => void) {
    this.#limits = limits;
    this.#onFailure = onFailure;
  }

  /** Resolves to true when the task is done, and to false if it failed or was dropped. */
  add(key: string, task: () => Promise<void>): Promise<boolean> {
    return this.#queue(key, () => this.#runWithinLimit(task));
  }

  /** The same for a task that only waits for a batch; it does not count towards `parallel`. */
  addGathered(key: string, task: () => Promise<void>): Promise<boolean> {
    return this.#queue(key, () => this.#run(task));
  }

  #queue(key: string, run: () => Promise<boolean>): Promise<boolean> {
    this.#pending += 1;
    const before = this.#tails.get(key) ?? Promise.resolve(true);
    const tail: Promise<boolean> = before.then(run).finally(() => this.#end(key, tail));
    this.#tails.set(key, tail);
    return tail;
  }

  /** Waits until another task is accepted. */
  async waitForRoom(): Promise<void> {
    while (this.#pending >= this.#limits.pending) await this.#changed.promise;
  }

  /** Waits until everything added so far is done. */
  async waitUntilFinished(): Promise<void> {
    await Promise.all(this.#tails.values());
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Drops tasks that have not started. */
  stop(): void {
    this.#stopped = true;
  }

  async #run(task: () => Promise<void>): Promise<boolean> {
    try {
      if (this.#stopped) return false;
      await task();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #runWithinLimit(task: () => Promise<void>): Promise<boolean> {
    if (this.#running >= this.#limits.parallel) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      // The failure is recorded before the next task may run, so that it does not start.
      return await this.#run(task);
    } finally {
      // The next task runs instead of this one, so that no other task can begin before it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  #fail(error: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#onFailure(error);
  }

  #end(key: string, tail: Promise<boolean>): void {
    this.#pending -= 1;
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
