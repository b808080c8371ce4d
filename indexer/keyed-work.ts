interface Limits {
  /** So many tasks run side by side, of those that take a place. */
  readonly parallel: number;
  /** While so many are waiting or running, `room` holds up whoever brings more. */
  readonly pending: number;
}

/** Runs tasks of one key in the order they came, and those of different keys side by side. */
export class KeyedWork {
  #limits: Limits;
  #onFailure: (error: unknown) => void;
  #stopped = false;
  #pending = 0;
  #running = 0;
  /** The last task of each key that has any. */
  #tails = new Map<string, Promise<boolean>>();
  #waiting: (() => void)[] = [];
  #changed = Promise.withResolvers<void>();

  /** A task that fails stops everything: no other is started any more, and `onFailure` is called once. */
  constructor(limits: Limits, onFailure: (error: unknown) => void) {
    this.#limits = limits;
    this.#onFailure = onFailure;
  }

  /** Resolves when it is over: true where the task was done, false where it failed or was dropped. */
  add(key: string, task: () => Promise<void>): Promise<boolean> {
    return this.#queue(key, () => this.#runInPlace(task));
  }

  /** The same for a task that only waits to be done together with others: it takes no place. */
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

  /** Waits until there is room for more. */
  async room(): Promise<void> {
    while (this.#pending >= this.#limits.pending) await this.#changed.promise;
  }

  /** Waits until everything that has been added by now is over; not for what is added meanwhile. */
  async finished(): Promise<void> {
    await Promise.all(this.#tails.values());
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Drops what has not started. */
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

  async #runInPlace(task: () => Promise<void>): Promise<boolean> {
    if (this.#running >= this.#limits.parallel) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      // A failure is noted before the place is handed on: whoever gets it must not start.
      return await this.#run(task);
    } finally {
      // The place is handed on, not given back: nobody can come in between.
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
