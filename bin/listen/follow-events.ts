import { setTimeout as wait } from 'node:timers/promises';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { createDuesClient, type EventType, type LiveEvent } from '../../client/dues-client.ts';
import { type DuesError, toDuesError } from '../../client/dues-error.ts';
import { openStream } from '../../client/open-stream.ts';
import type { ApiAccess } from '../api-access.ts';
import { apiUnusable } from '../ask-api.ts';

/** A new event, or one that is resent. */
export type FollowedEvent = Omit<LiveEvent, 'cursor'>;

export interface FollowOptions {
  /** The cursor at which to begin. */
  readonly after: string;
  /** Event types; empty means all. */
  readonly types: readonly string[];
  /** Stops following. */
  readonly signal: AbortSignal;
}

export interface Follower {
  /** Awaited before the next event of the same kind. */
  take(event: FollowedEvent, options: { readonly isResent: boolean }): Promise<void>;
  /** The connection was lost or an attempt to reconnect failed; it is retried. */
  lost(error: DuesError): void;
  /** The connection was established, for the first time or again. */
  connected(): void;
}

const RESENT = parse(
  'subscription { eventsResent { id type createdAt sequence data } }',
) as TypedDocumentNode<{ readonly eventsResent: FollowedEvent }, object>;
const RECONNECT_DELAY_MS = 1_000;

/**
 * Follows an account's events until stopped: new events in order and once, also across lost
 * connections; resent events only while connected.
 *
 * @throws ApiUnusable if the key or the request is refused
 */
export async function followEvents(
  access: ApiAccess,
  options: FollowOptions,
  follower: Follower,
): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  try {
    await Promise.all([
      followNew(access, { ...options, signal }, follower),
      followResent(access, signal, follower),
    ]);
  } catch (error) {
    throw apiUnusable(access, error);
  } finally {
    // If one stream is refused, the other ends too.
    ending.abort();
  }
}

async function followNew(
  access: ApiAccess,
  { after, types, signal }: FollowOptions,
  { take, lost, connected }: Follower,
): Promise<void> {
  const streamOptions = {
    after,
    types: types as EventType[],
    signal,
    onInterruption: lost,
    onConnection: connected,
  };
  for await (const event of createDuesClient(access).events(streamOptions))
    await take(event, { isResent: false });
}

/**
 * Follows resent events. Those that are resent during an outage are missed, because only connected
 * clients get them. The other stream reports the outage.
 */
async function followResent(access: ApiAccess, signal: AbortSignal, { take }: Follower): Promise<void> {
  const endpoint = new URL('/graphql', access.url).href;
  const headers = { authorization: `Bearer ${access.apiKey}` };
  while (!signal.aborted) {
    try {
      for await (const { eventsResent } of openStream(RESENT, {}, { endpoint, headers, signal })) {
        await take(eventsResent, { isResent: true });
      }
    } catch (cause) {
      const error = toDuesError(cause);
      if (!signal.aborted && !error.isTemporary) throw error;
    }
    await wait(RECONNECT_DELAY_MS, undefined, { signal }).catch(() => undefined);
  }
}
