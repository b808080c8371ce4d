import { setTimeout as wait } from 'node:timers/promises';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { createDuesClient, type EventType, type LiveEvent } from '../../client/dues-client.ts';
import { type DuesError, toDuesError } from '../../client/dues-error.ts';
import { openStream } from '../../client/open-stream.ts';
import type { ApiAccess } from '../api-access.ts';
import { apiUnusable } from '../ask-api.ts';

/** An event, whether new or sent again. */
export type FollowedEvent = Omit<LiveEvent, 'cursor'>;

export interface FollowOptions {
  /** Where to begin in the stream. */
  readonly after: string;
  /** None means all. */
  readonly types: readonly string[];
  /** When to stop. */
  readonly signal: AbortSignal;
}

export interface Follower {
  /** Is waited for before the next event of the same kind. */
  take(event: FollowedEvent, how: { readonly isResent: boolean }): Promise<void>;
  /** The connection is lost, or could not be made again: it is tried again. */
  lost(error: DuesError): void;
  /** The connection is there, for the first time or again. */
  connected(): void;
}

const RESENT = parse(
  'subscription { eventsResent { id type createdAt sequence data } }',
) as TypedDocumentNode<{ readonly eventsResent: FollowedEvent }, object>;
const AGAIN_AFTER_MS = 1_000;

/**
 * Follows an account's events until stopped: every new one in order and once, also across a lost connection; and what
 * somebody sends again while the connection is there.
 *
 * @throws ApiUnusable where the key or the request is refused for good
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
    // Where one was refused, the other ends as well.
    ending.abort();
  }
}

async function followNew(
  access: ApiAccess,
  { after, types, signal }: FollowOptions,
  { take, lost, connected }: Follower,
): Promise<void> {
  const wanted = {
    ...{ after, types: types as EventType[], signal },
    ...{ onInterruption: lost, onConnection: connected },
  };
  for await (const event of createDuesClient(access).events(wanted)) await take(event, { isResent: false });
}

/** What is missed while the connection is away was for who was there. The other stream tells of the outage. */
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
    await wait(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
}
