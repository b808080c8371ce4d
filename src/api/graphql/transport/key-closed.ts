import { createGraphQLError } from 'graphql-yoga';

/**
 * Close code of a WebSocket whose key is invalid, revoked or expired: "Forbidden" in graphql-ws.
 */
export const KEY_CLOSED_CODE = 4403;
export const KEY_CLOSED_REASON = 'The API key was revoked or has expired, or the member session has ended.';

/** The error with the same reason, sent as the last message of a stream over HTTP. */
export function keyClosed(): Error {
  return createGraphQLError(KEY_CLOSED_REASON, { extensions: { code: 'authentication_error' } });
}
