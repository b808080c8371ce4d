import { type Client, createClient } from 'graphql-ws';
import type { TypedDocumentString } from '../../generated/graphql.ts';
import { environment } from './environment.ts';

export type LiveState = 'connecting' | 'live' | 'offline';

/** The server's close code for an ended member session. */
const SESSION_OVER = 4403;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * The page's only WebSocket. It is opened with the first stream and shared by all streams. When it
 * is lost, each stream is subscribed again, with growing delays.
 */
export class LiveConnection {
  readonly #client: Client;
  readonly #onState: (state: LiveState) => void;
  readonly #onSessionOver: () => void;

  constructor(options: {
    readonly onState: (state: LiveState) => void;
    readonly onSessionOver: () => void;
  }) {
    this.#onState = options.onState;
    this.#onSessionOver = options.onSessionOver;
    this.#client = createClient({
      url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
      connectionParams: { environment },
      // The client's own retries would start at the old cursor again.
      retryAttempts: 0,
      on: {
        connected: () => this.#onState('live'),
        closed: (event) => {
          this.#onState('connecting');
          if ((event as CloseEvent).code === SESSION_OVER) this.#onSessionOver();
        },
      },
    });
  }

  /**
   * Follows a stream until the signal aborts.
   *
   * @param variables called at every start, so that a stream continues after its last cursor; if it
   *   fails, it is called again later
   * @param onGap called before every start except the first: data may have changed meanwhile
   */
  async follow<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    variables: () => Variables | Promise<Variables>,
    listeners: {
      readonly onData: (result: Result) => void;
      readonly onGap?: () => void;
      readonly onRefused?: (code: string | undefined) => void;
    },
    signal: AbortSignal,
  ): Promise<void> {
    let delayMs = FIRST_DELAY_MS;
    for (let start = 0; !signal.aborted; start += 1) {
      if (start > 0) {
        this.#onState(navigator.onLine ? 'connecting' : 'offline');
        await pause(delayMs * (0.5 + Math.random()), signal);
        if (signal.aborted) return;
        delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
        listeners.onGap?.();
      }
      try {
        const values = (await variables()) as Record<string, unknown>;
        if (signal.aborted) return;
        const results = this.#client.iterate<Result>({ query: document.toString(), variables: values });
        const stop = () => void results.return?.();
        signal.addEventListener('abort', stop, { once: true });
        try {
          for await (const { data, errors } of results) {
            if (data) {
              delayMs = FIRST_DELAY_MS;
              listeners.onData(data);
            } else listeners.onRefused?.(errors?.[0]?.extensions?.code as string | undefined);
          }
        } finally {
          signal.removeEventListener('abort', stop);
        }
      } catch (error) {
        // An array comes from a refusal by the server; otherwise the socket or `variables` failed.
        if (Array.isArray(error)) listeners.onRefused?.(error[0]?.extensions?.code);
      }
    }
  }

  close(): void {
    void this.#client.dispose();
  }
}

/** Waits for the delay, or until the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
