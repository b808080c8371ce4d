import { createGraphQLError } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';
import { keyClosed } from '../transport/key-closed.ts';

/** The error that ends a broken stream: messages may be missing, so the client must query again. */
export function interrupted(message: string): Error {
  return createGraphQLError(message, { extensions: { code: 'live_interrupted' } });
}

/**
 * Registers a stream with the server, which ends it on shutdown. If the stream has a connection of
 * its own, it also ends when the client reads too slowly or its credential is revoked or expires.
 * Returns a function that removes the registration.
 *
 * @throws BillingError rate_limit_exceeded if the caller has too many streams
 */
export function openStream(
  { openStreams, streamCounts, countsAgainst, slowReaders, keyWatch, connection, caller }: GraphqlContext,
  breakOff: (error: Error) => void,
): () => void {
  const release = streamCounts.add(countsAgainst);
  const end = () => breakOff(interrupted(SHUTTING_DOWN));
  openStreams.add(end);
  const unwatch = connection && slowReaders.watch(connection, () => breakOff(interrupted(TOO_SLOW)));
  const unwatchKey = connection && caller && keyWatch.watch(caller, () => breakOff(keyClosed()));
  return () => {
    release();
    openStreams.delete(end);
    unwatch?.();
    unwatchKey?.();
  };
}

/**
 * Last message of a stream over HTTP when the server closes. A WebSocket has a close code for it.
 */
const SHUTTING_DOWN = 'The server is shutting down: connect again and resume after the last message.';

/** Last message of a stream whose client does not read. */
export const TOO_SLOW = 'The client reads too slowly: connect again and resume after the last message.';
