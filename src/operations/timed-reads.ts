import { performance } from 'node:perf_hooks';

/** How long a reading of metrics or health may take. */
const READ_TIMEOUT_MS = 2_000;
/** After this time a reading that still runs is repeated. */
const ABANDONED_MS = 30_000;

interface Running {
  readonly result: Promise<unknown>;
  readonly startedAt: number;
}

/**
 * Readings by name, each with a time limit. While one runs, callers wait for it instead of starting
 * it again, so a database or node that does not answer gets no further calls.
 */
export class TimedReads {
  readonly #running = new Map<string, Running>();

  /** @throws Error if there is no answer in time */
  async read<T>(name: string, ask: () => PromiseLike<T>): Promise<T> {
    const timedOut = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      timedOut.reject(new Error(`no response within ${READ_TIMEOUT_MS} ms`));
    }, READ_TIMEOUT_MS);
    try {
      return await Promise.race([this.#share(name, ask), timedOut.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #share<T>(name: string, ask: () => PromiseLike<T>): Promise<T> {
    const now = performance.now();
    const known = this.#running.get(name);
    if (known && now - known.startedAt < ABANDONED_MS) return known.result as Promise<T>;
    const result = Promise.resolve().then(ask);
    const running = { result, startedAt: now };
    this.#running.set(name, running);
    const forget = () => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    };
    result.then(forget, forget);
    return result;
  }
}
