import type { AppContext } from '../../app.ts';
import type { LiveSubscription } from '../../live/live-subscription.ts';

const CHECK_EVERY_MS = 2_000;

/** Functions that detect the end of a credential. */
export interface CredentialEnds<T> {
  /**
   * Subscribes to messages about ended credentials. Called again at the next check if the
   * connection breaks.
   */
  readonly listen: () => LiveSubscription<T>;
  readonly idOf: (message: T) => string;
  /** Returns the credentials that have ended according to the database. */
  readonly findEnded: (ids: readonly string[]) => Promise<string[]>;
}

/**
 * Closes a credential's streams when it is revoked or expires. A revocation is published at once.
 * Expiries and lost messages are found in the database every two seconds.
 */
export class CredentialWatch<T> {
  readonly #log: AppContext['log'];
  readonly #source: CredentialEnds<T>;
  readonly #ends = new Map<string, Set<() => void>>();
  readonly #timer: NodeJS.Timeout;
  #messages: LiveSubscription<T> | undefined;
  #checking: Promise<void> | undefined;

  constructor(log: AppContext['log'], source: CredentialEnds<T>) {
    this.#log = log;
    this.#source = source;
    void this.#listen();
    this.#timer = setInterval(() => {
      void this.#listen();
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
    }, CHECK_EVERY_MS).unref();
  }

  /** Calls `end` once when the credential ends. Returns a function that stops the watch. */
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
    await this.#messages?.return();
  }

  /**
   * Listens until the connection breaks. The periodic check finds credentials whose message was
   * missed.
   */
  async #listen(): Promise<void> {
    if (this.#messages) return;
    this.#messages = this.#source.listen();
    try {
      for await (const message of this.#messages) this.#end(this.#source.idOf(message));
    } catch (err) {
      this.#log.debug({ err }, 'messages about ended credentials interrupted');
    } finally {
      this.#messages = undefined;
    }
  }

  async #check(): Promise<void> {
    if (this.#ends.size === 0) return;
    try {
      for (const id of await this.#source.findEnded([...this.#ends.keys()])) this.#end(id);
    } catch (err) {
      this.#log.warn({ err }, 'ended credentials not checked');
    }
  }

  #end(id: string): void {
    const ends = this.#ends.get(id) ?? [];
    this.#ends.delete(id);
    for (const end of ends) end();
  }
}
