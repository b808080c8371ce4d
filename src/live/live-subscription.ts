/** The subscriber reads too slowly. It must subscribe and read its data again. */
export class SlowSubscriberError extends Error {
  override name = 'SlowSubscriberError';

  constructor(limit: number) {
    super(`More than ${limit} live updates were waiting to be read.`);
  }
}

/** The connection for live updates broke or is being closed: some updates may be missing. */
export class LiveInterruptedError extends Error {
  override name = 'LiveInterruptedError';

  constructor() {
    super('Live updates were interrupted; subscribe and read again.');
  }
}

const MAX_WAITING = 1000;

/** The messages of a topic in order, buffered up to a limit, from construction until `return`. */
export class LiveSubscription<T> implements AsyncIterableIterator<T> {
  /** Resolves when the subscription is established: no later message can be missed. */
  readonly ready: Promise<void>;
  readonly #waiting: T[] = [];
  readonly #leave: () => void;
  #reader: PromiseWithResolvers<IteratorResult<T>> | undefined;
  #end: { readonly error?: Error } | undefined;

  constructor(leave: () => void, startListening: () => Promise<void>) {
    this.#leave = leave;
    this.ready = startListening();
    this.ready.catch((error) => this.fail(error));
  }

  /** Messages that have arrived and are not read yet, oldest first. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  push(message: T): void {
    if (this.#end) return;
    if (this.#reader) {
      this.#reader.resolve({ value: message, done: false });
      this.#reader = undefined;
    } else if (this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(message);
    } else {
      this.fail(new SlowSubscriberError(MAX_WAITING));
    }
  }

  /**
   * Ends the subscription with an error and drops the buffer, so that the reader notices the gap.
   */
  fail(error: Error): void {
    if (this.#end) return;
    this.#finish({ error });
    if (!this.#reader) return;
    this.#reader.reject(error);
    this.#reader = undefined;
    this.#end = {};
  }

  async next(): Promise<IteratorResult<T>> {
    if (this.#waiting.length > 0) return { value: this.#waiting.shift() as T, done: false };
    if (this.#end) {
      const { error } = this.#end;
      this.#end = {};
      if (error) throw error;
      return { value: undefined, done: true };
    }
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    if (!this.#end) this.#finish({});
    this.#reader?.resolve({ value: undefined, done: true });
    this.#reader = undefined;
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #finish(end: { readonly error?: Error }): void {
    this.#end = end;
    this.#waiting.length = 0;
    this.#leave();
  }
}
