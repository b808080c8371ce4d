import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { EventsFollowedSubscription, TypedDocumentString } from '../../generated/graphql.ts';
import { isSignedOut } from './api-error.ts';
import { ask } from './ask.ts';
import { graphql } from './graphql.ts';
import type { LiveConnection, LiveState } from './live-connection.ts';
import { invalidateLive } from './query.ts';
import { VIEWER } from './viewer.ts';

export type LiveEvent = EventsFollowedSubscription['events'];

const EVENTS_CURSOR = graphql(/* GraphQL */ `
  query EventsCursor {
    eventsCursor
  }
`);

const EVENTS = graphql(/* GraphQL */ `
  subscription EventsFollowed($after: String) {
    events(after: $after) {
      cursor
      id
      type
      createdAt
      sequence
      data
    }
  }
`);

/** Minimum time between two refetches, however many events arrive. */
const REFETCH_INTERVAL_MS = 1_000;

interface Live {
  readonly state: LiveState;
  readonly connection: LiveConnection | undefined;
  /** Calls back with each event; returns a function that ends this. */
  onEvent(listener: (event: LiveEvent) => void): () => void;
  /** Refetches the queries with a `live` prefix of this type, at most once per second. */
  readAfter(type: string): void;
}

const LiveContext = createContext<Live>({
  state: 'connecting',
  connection: undefined,
  onEvent: () => () => undefined,
  readAfter: () => undefined,
});

/**
 * Follows the merchant's events for the whole page. No event is missed or repeated: after a lost
 * connection the stream continues after the last cursor. Queries with `live` are refetched after
 * their events.
 */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const router = useRouter();
  const [state, setState] = useState<LiveState>('connecting');
  const [connection, setConnection] = useState<LiveConnection>();
  const [listeners] = useState(() => new Set<(event: LiveEvent) => void>());
  const [refetcher] = useState(() => new Refetcher(client));

  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const onSessionOver = () => {
      // The next page is the sign-in.
      client.removeQueries({ queryKey: [VIEWER] });
      void router.invalidate();
    };
    const onEvent = (event: LiveEvent) => {
      for (const listener of listeners) listener(event);
      refetcher.refetchAfter(event.type);
    };
    const onMissed = () => void client.invalidateQueries();
    const open = async () => {
      // The connection is loaded after the page is shown. The cursor is read first, so that no
      // event is missed.
      const cursor = readCursor(signal);
      // A failure is handled in `followEvents`, which reads the cursor again.
      cursor.catch(() => undefined);
      const { LiveConnection } = await import('./live-connection.ts');
      if (signal.aborted) return;
      const opened = new LiveConnection({ onState: setState, onSessionOver });
      signal.addEventListener('abort', () => opened.close(), { once: true });
      setConnection(opened);
      await followEvents(opened, cursor, signal, { onEvent, onMissed });
    };
    // After a new release the file may be gone; a reload of the page loads the new one.
    open().catch(() => setState('offline'));
    return () => {
      stopped.abort();
      refetcher.stop();
    };
  }, [client, router, listeners, refetcher]);

  const onEvent = (listener: (event: LiveEvent) => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const readAfter = (type: string) => refetcher.refetchAfter(type);
  return <LiveContext value={{ state, connection, onEvent, readAfter }}>{children}</LiveContext>;
}

/** @returns undefined if the member session has ended, which the socket then reports */
async function readCursor(signal: AbortSignal): Promise<string | undefined> {
  return ask(EVENTS_CURSOR, {}, signal).then(
    ({ eventsCursor }) => eventsCursor,
    (error: unknown) => {
      if (!isSignedOut(error)) throw error;
      return undefined;
    },
  );
}

/**
 * Follows the events after a cursor. Without a cursor, the stream would start with the next event
 * and skip those before it. So a cursor that could not be read, or is too old, is read again, and
 * then all data is refetched.
 */
async function followEvents(
  connection: LiveConnection,
  first: Promise<string | undefined>,
  signal: AbortSignal,
  { onEvent, onMissed }: { readonly onEvent: (event: LiveEvent) => void; readonly onMissed: () => void },
): Promise<void> {
  let after: string | undefined;
  let startCursor = () => first;
  const readNewCursor = async () => {
    const cursor = await readCursor(signal);
    onMissed();
    return cursor;
  };
  await connection.follow(
    EVENTS,
    async () => {
      if (after === undefined) {
        const cursor = startCursor();
        startCursor = readNewCursor;
        after = await cursor;
      }
      return { after };
    },
    {
      onData: ({ events }) => {
        onEvent(events);
        after = events.cursor;
      },
      onRefused: (code) => {
        // The cursor is too old.
        if (code === 'invalid_request') after = undefined;
      },
    },
    signal,
  );
}

/** Refetches queries after events: at once, then at most once in `REFETCH_INTERVAL_MS`. */
class Refetcher {
  readonly #client: QueryClient;
  #types = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = 0;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  refetchAfter(type: string): void {
    this.#types.add(type);
    this.#timer ??= setTimeout(() => this.#refetch(), Math.max(0, this.#nextAt - Date.now()));
  }

  #refetch(): void {
    this.#timer = undefined;
    this.#nextAt = Date.now() + REFETCH_INTERVAL_MS;
    const types = [...this.#types];
    this.#types = new Set();
    void invalidateLive(this.#client, types);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The state of the live connection. */
export function useLiveState(): LiveState {
  return useContext(LiveContext).state;
}

/**
 * Refetches queries after a stream other than the events: `readAfter('delivery.updated')` for
 * queries with `live: ['delivery.']`. They are refetched at most once a second.
 */
export function useReadAfter(): (type: string) => void {
  return useContext(LiveContext).readAfter;
}

/** Calls back with each event of the merchant while the component is shown. */
export function useEvents(listener: (event: LiveEvent) => void): void {
  const { onEvent } = useContext(LiveContext);
  const latest = useRef(listener);
  latest.current = listener;
  const subscribe = useRef(onEvent);
  useEffect(() => subscribe.current((event) => latest.current(event)), []);
}

/**
 * Follows another stream on the same socket, for example `webhookDeliveryUpdated`. After a lost
 * connection it calls `onGap`: read the data again there.
 */
export function useStream<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  listeners: { readonly onData: (result: Result) => void; readonly onGap?: () => void },
): void {
  const { connection } = useContext(LiveContext);
  const latest = useRef(listeners);
  latest.current = listeners;
  const key = JSON.stringify(variables);
  useEffect(() => {
    const stopped = new AbortController();
    void connection?.follow(
      document,
      () => JSON.parse(key) as Variables,
      {
        onData: (result) => latest.current.onData(result),
        onGap: () => latest.current.onGap?.(),
      },
      stopped.signal,
    );
    return () => stopped.abort();
  }, [connection, document, key]);
}
