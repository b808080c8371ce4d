import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { ApiAccess } from '../api-access.ts';
import { ApiUnusable } from '../ask-api.ts';
import type { LiveEvent } from './live-event.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** Our own pings: a connection that broke without a word, as when a laptop slept, is noticed by them. */
const PING_EVERY_MS = 10_000;
const PONG_WITHIN_MS = 5_000;
/** Of a WebSocket whose key is wrong, was revoked, or has expired. */
const KEY_REFUSED = 4403;
/** Errors that trying again does not mend. */
const FINAL_CODES: readonly unknown[] = ['authentication_error', 'invalid_request'];

const FIELDS = 'id type createdAt sequence data';
const EVENTS = `subscription ($after: String, $types: [String!]) {
  events(after: $after, types: $types) { cursor ${FIELDS} }
}`;
const RESENT = `subscription { eventsResent { ${FIELDS} } }`;

export interface Followed {
  /** Where to begin in the stream. */
  readonly after: string;
  /** None means all. */
  readonly types: readonly string[];
  /** When to stop. */
  readonly signal: AbortSignal;
}

export interface Follower {
  /** Is waited for before the next event of the same kind. */
  take(event: LiveEvent, how: { readonly isResent: boolean }): Promise<void>;
  /** Told once for each time that the connection is lost, and once when it is there again. */
  lost(reason: string): void;
  back(): void;
}

/**
 * Follows an account's events until stopped: every new one in order and once, also across a lost connection, because it
 * goes on from the last cursor; and what somebody sends again while the connection is there.
 *
 * @throws ApiUnusable where the key or the request is refused for good
 */
export async function followEvents(
  access: ApiAccess,
  { after, types, signal }: Followed,
  follower: Follower,
): Promise<void> {
  let cursor = after;
  let waitMs = 0;
  const connected = () => {
    if (waitMs > 0) follower.back();
    waitMs = 0;
  };
  while (!signal.aborted) {
    const client = connect(access, connected);
    const leave = () => void client.dispose();
    signal.addEventListener('abort', leave);
    const streams = [
      each<LiveEvent & { cursor: string }>(
        client,
        'events',
        EVENTS,
        { after: cursor, types },
        async (event) => {
          await follower.take(event, { isResent: false });
          cursor = event.cursor;
        },
      ),
      each<LiveEvent>(client, 'eventsResent', RESENT, {}, (event) =>
        follower.take(event, { isResent: true }),
      ),
    ];
    const reason = await Promise.race(streams)
      .then(() => 'the server ended the stream', reasonToTryAgain)
      .finally(async () => {
        signal.removeEventListener('abort', leave);
        await client.dispose();
        // What has arrived is dealt with before the next connection goes on from there.
        await Promise.allSettled(streams);
      });
    if (signal.aborted) return;
    if (waitMs === 0) follower.lost(reason);
    waitMs = Math.min(waitMs * 2 || FIRST_WAIT_MS, LONGEST_WAIT_MS);
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

function connect({ url, apiKey }: ApiAccess, connected: () => void): Client {
  let overdue: NodeJS.Timeout | undefined;
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${apiKey}` },
    // Its own retries would begin at the old cursor again.
    retryAttempts: 0,
    keepAlive: PING_EVERY_MS,
    on: {
      connected,
      ping: (isReceived) => {
        if (!isReceived) overdue = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(overdue);
      },
      closed: () => clearTimeout(overdue),
    },
  });
  return client;
}

async function each<T>(
  client: Client,
  field: string,
  query: string,
  variables: Record<string, unknown>,
  take: (value: T) => Promise<void>,
): Promise<void> {
  for await (const { data, errors } of client.iterate<Record<string, T>>({ query, variables })) {
    if (errors) throw errors;
    if (data) await take(data[field] as T);
  }
}

/** A closed socket, an error of the network, or errors of GraphQL: all are thrown, and none is an `Error` for certain. */
interface Ending {
  readonly code?: number | string;
  readonly reason?: string;
  readonly message?: string;
}

function reasonToTryAgain(thrown: unknown): string {
  const [error] = Array.isArray(thrown)
    ? (thrown as { message: string; extensions?: { code?: unknown } }[])
    : [];
  if (error) {
    if (FINAL_CODES.includes(error.extensions?.code)) throw new ApiUnusable(error.message);
    return error.message;
  }
  const { code, reason, message } = thrown as Ending;
  if (code === KEY_REFUSED) throw new ApiUnusable(reason || 'the key was refused');
  return reason || message || `closed with ${code}`;
}
