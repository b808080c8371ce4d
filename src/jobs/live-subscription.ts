/** The subscriber reads too slowly. It must subscribe again and read its data again. */
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

const LIMIT = 1000;

/** The messages of a topic in order, buffered up to a limit, from construction until it is left. */
export class LiveSubscription<T> implements AsyncIterableIterator<T> {
  /** Resolves when no later message can be missed. */
  readonly ready: Promise<void>;
  readonly #waiting: T[] = [];
  readonly #leave: () => void;
  #reader: PromiseWithResolvers<IteratorResult<T>> | undefined;
  #end: { readonly error?: Error } | undefined;

  constructor(leave: () => void, listen: () => Promise<void>) {
    this.#leave = leave;
    this.ready = listen();
    this.ready.catch((error) => this.fail(error));
  }

  /** Messages that arrived and were not read, oldest first. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  push(message: T): void {
    if (this.#end) return;
    if (this.#reader) {
      this.#reader.resolve({ value: message, done: false });
      this.#reader = undefined;
    } else if (this.#waiting.length < LIMIT) {
      this.#waiting.push(message);
    } else {
      this.fail(new SlowSubscriberError(LIMIT));
    }
  }

  /** Ends it with an error at once and drops the buffer, so that the reader notices the gap. */
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
