import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { invalidRequest } from '../../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';

/** Maximum bytes of a request body or of a WebSocket message. */
export const MAX_BODY_BYTES = 100_000;

/**
 * Refuses bodies of more than `MAX_BODY_BYTES`. Node enforces a declared length, so only bodies
 * without a declared length are counted, which reads them as a stream.
 *
 * @throws BillingError invalid_request, param `body`
 */
export const limitBody = createMiddleware<ApiEnv>((c, next) => {
  const { headers } = c.env.incoming;
  if (headers['transfer-encoding'] !== undefined) return countBody(c, next);
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) refuse();
  return next();
});

const countBody = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuse });

function refuse(): never {
  throw invalidRequest('body', `The body must have at most ${MAX_BODY_BYTES} bytes.`);
}
