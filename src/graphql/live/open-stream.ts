import { createGraphQLError } from 'graphql-yoga';
import type { GraphqlContext } from '../context.ts';
import { keyClosed } from '../key-closed.ts';

/** A stream that breaks before its end says so last: something may be missing, and the listener can make up for it. */
export function interrupted(message: string): Error {
  return createGraphQLError(message, { extensions: { code: 'live_interrupted' } });
}

/**
 * Makes a stream known to the server, which ends it when it closes; and, where the stream has a connection of its own,
 * breaks it off when nobody reads, or its key is revoked or expires. Answers with what takes all that back.
 *
 * @throws BillingError rate_limit_exceeded where the caller has too many
 */
export function openStream(
  { openStreams, streamCounts, countsAgainst, slowReaders, keyWatch, connection, caller }: GraphqlContext,
  breakOff: (error: Error) => void,
): () => void {
  const takeBack = streamCounts.add(countsAgainst);
  const end = () => breakOff(interrupted(SHUTTING_DOWN));
  openStreams.add(end);
  const unwatch = connection && slowReaders.watch(connection, () => breakOff(interrupted(TOO_SLOW)));
  const unwatchKey = connection && caller && keyWatch.watch(caller, () => breakOff(keyClosed()));
  return () => {
    takeBack();
    openStreams.delete(end);
    unwatch?.();
    unwatchKey?.();
  };
}

/** Why a stream over HTTP ends with the server. A WebSocket has a close code for that. */
const SHUTTING_DOWN = 'The server is shutting down: connect again, and go on from what came last.';

/** Why a connection is given up whose other end does not read. */
export const TOO_SLOW = 'Not read fast enough: connect again, and go on from what came last.';
