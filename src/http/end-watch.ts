import type { AppContext } from '../app.ts';
import type { LiveSubscription } from '../jobs/live-subscription.ts';

const LOOK_EVERY_MS = 2_000;

/** How the end of a credential is learned. */
export interface EndSource<T> {
  /** Tells of ends as they happen, in whichever process; called again, at the next look, where its connection broke. */
  readonly listen: () => LiveSubscription<T>;
  readonly idOf: (told: T) => string;
  /** Which of these are over, by the database. */
  readonly findEnded: (ids: readonly string[]) => Promise<string[]>;
}

/**
 * Ends what a credential has open when it ends itself. An end that somebody made is told at once; what nobody tells, an
 * expiry or a word that was lost on its way, is looked up in the database every two seconds.
 */
export class EndWatch<T> {
  readonly #log: AppContext['log'];
  readonly #source: EndSource<T>;
  readonly #ends = new Map<string, Set<() => void>>();
  readonly #timer: NodeJS.Timeout;
  #told: LiveSubscription<T> | undefined;
  #looking: Promise<void> | undefined;

  constructor(log: AppContext['log'], source: EndSource<T>) {
    this.#log = log;
    this.#source = source;
    void this.#listen();
    this.#timer = setInterval(() => {
      void this.#listen();
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
    }, LOOK_EVERY_MS).unref();
  }

  /** Calls `end` once when it is over. Answers with what ends the watch. */
  watch(id: string, end: () => void): () => void {
    const ends = this.#ends.get(id) ?? new Set();
    this.#ends.set(id, ends.add(end));
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#ends.get(id) === ends) this.#ends.delete(id);
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#told?.return();
  }

  /** Until the connection breaks: what is told meanwhile is found by looking. */
  async #listen(): Promise<void> {
    if (this.#told) return;
    this.#told = this.#source.listen();
    try {
      for await (const told of this.#told) this.#end(this.#source.idOf(told));
    } catch (err) {
      this.#log.debug({ err }, 'ends of keys and sessions not told for now');
    } finally {
      this.#told = undefined;
    }
  }

  async #look(): Promise<void> {
    if (this.#ends.size === 0) return;
    try {
      for (const id of await this.#source.findEnded([...this.#ends.keys()])) this.#end(id);
    } catch (err) {
      this.#log.warn({ err }, 'open keys and sessions were not looked up');
    }
  }

  #end(id: string): void {
    const ends = this.#ends.get(id) ?? [];
    this.#ends.delete(id);
    for (const end of ends) end();
  }
}
