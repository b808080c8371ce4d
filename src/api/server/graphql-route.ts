import type { Hono } from 'hono';
import { sessionCookie } from '../access/session-cookie.ts';
import { AGAIN_SECONDS, JSON_ONLY } from '../errors/error-response.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import type { GraphqlHandler } from '../graphql/transport/handler.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { requestOriginOf } from '../http/request-origin.ts';
import type { RateVerdict } from '../rate-limit/rate-limit.ts';
import { isWebSocketUpgrade } from './upgrade.ts';

/**
 * Accepts only POST with a JSON body. Requests that browsers send to other origins without a
 * preflight (GET, forms, plain text) are refused.
 */
export function routeGraphql(router: Hono<ApiEnv>, server: GraphqlServer, yoga: GraphqlHandler): void {
  router.all('/graphql', async (c) => {
    if (isWebSocketUpgrade(c.req.header('upgrade'))) {
      return c.json(refusal(NO_HANDSHAKE, 'Upgrade'), 400, { 'Sec-WebSocket-Version': '13, 8' });
    }
    if (c.req.method !== 'POST') {
      return c.json(refusal(POST_ONLY, 'method'), 405, { Allow: 'POST' });
    }
    if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
      return c.json(refusal(JSON_ONLY, 'Content-Type'), 415);
    }
    const cookies: string[] = [];
    let mayRepeat = false;
    let overLimit: RateVerdict | undefined;
    const answer = await yoga.answer(c.req.raw, {
      ...server,
      caller: c.get('caller'),
      countsAgainst: c.get('countsAgainst'),
      requestId: c.get('requestId'),
      requestOrigin: requestOriginOf(c),
      setCookie: (session) => cookies.push(sessionCookie(server.app.config, session)),
      onCounted: (verdict) => c.set('verdict', verdict),
      onPartRefused: (verdict) => {
        overLimit = verdict;
      },
      onTemporaryFailure: () => {
        mayRepeat = true;
      },
      connection: c.env.incoming.socket,
    });
    // Yoga's own response has no message.
    if (answer.status === 406) return c.json(refusal(UNSUPPORTED_ACCEPT, 'Accept'), 400);
    // The headers of an exceeded limit state when to retry, unless a repetition could repeat a
    // change.
    if (mayRepeat && overLimit) c.set('verdict', overLimit);
    if (mayRepeat && c.get('verdict').allowed) answer.headers.set('Retry-After', AGAIN_SECONDS);
    for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie);
    return answer;
  });
}

const NO_HANDSHAKE =
  'This is not a WebSocket handshake: it needs GET, `Connection: Upgrade`, a Sec-WebSocket-Key and a Sec-WebSocket-Version.';

const UNSUPPORTED_ACCEPT = 'Accept must allow application/json or application/graphql-response+json.';

const POST_ONLY =
  'Send GraphQL by POST, with the content type application/json and a body like {"query":"{ environment }"}. Live updates also work over WebSocket.';

function refusal(message: string, param: string) {
  return { errors: [{ message, extensions: { code: 'invalid_request', param } }] };
}
