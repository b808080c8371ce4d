import {
  LiveInterruptedError,
  type LiveSubscription,
  SlowSubscriberError,
} from '../../../live/live-subscription.ts';
import type { GraphqlContext } from '../context.ts';
import { interrupted, openStream } from './open-stream.ts';

/**
 * Maps the messages of a live topic with `pick` and drops those mapped to undefined. `first` is
 * sent before all messages.
 *
 * This is not an async generator: `return()` of a generator waits for the pending message, which
 * may never come.
 */
export class LiveStream<M, T> implements AsyncIterableIterator<T> {
  readonly #source: LiveSubscription<M>;
  readonly #pick: (message: M) => Promise<T | undefined>;
  readonly #close: () => void;
  #first: T | undefined;

  constructor(
    context: GraphqlContext,
    source: LiveSubscription<M>,
    pick: (message: M) => Promise<T | undefined>,
    first?: T,
  ) {
    this.#source = source;
    this.#pick = pick;
    this.#first = first;
    try {
      this.#close = openStream(context, (error) => source.fail(error));
    } catch (error) {
      void source.return();
      throw error;
    }
  }

  async next(): Promise<IteratorResult<T>> {
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) return { value: first, done: false };
    for (;;) {
      const message = await this.#source.next().catch((error: Error) => this.#broken(error));
      if (message.done) return this.return();
      const value = await this.#pick(message.value).catch((error: unknown) => this.throw(error));
      if (value !== undefined) return { value, done: false };
    }
  }

  async return(): Promise<IteratorResult<T>> {
    this.#close();
    await this.#source.return();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // A message may be missing, so the subscriber must query again.
  #broken(error: Error): never {
    this.#close();
    if (!(error instanceof LiveInterruptedError || error instanceof SlowSubscriberError)) throw error;
    throw interrupted(error.message);
  }
}
