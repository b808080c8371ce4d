import { createGraphQLError } from 'graphql-yoga';

/** With this code a WebSocket is closed whose key is wrong, or was revoked, or has expired: graphql-ws' "Forbidden". */
export const KEY_CLOSED_CODE = 4403;
export const KEY_CLOSED_REASON = 'The API key was revoked or has expired, or the session is over.';

/** The same as the last word of a stream over HTTP. */
export function keyClosed(): Error {
  return createGraphQLError(KEY_CLOSED_REASON, { extensions: { code: 'authentication_error' } });
}
