import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { statusOf } from '../errors/error-response.ts';
import { SECURE_HEADERS } from '../http/secure-headers.ts';
import {
  BUSY_MS,
  type RatePolicy,
  type RateVerdict,
  rateLimitHeaders,
  tooManyRequests,
  verdictOf,
} from '../rate-limit/rate-limit.ts';
import { hasLongBody } from './request-body.ts';

/** The body of a refused request is not read if it is longer. */
const READ_TO_THE_END_BYTES = 16_384;

const { code, message } = tooManyRequests();
const STATUS = statusOf({ code, message });
const REST_BODY = JSON.stringify({ error: { code, message } });
const GRAPHQL_BODY = JSON.stringify({ errors: [{ message, extensions: { code } }] });

/** Answers "too many requests" without the router, which would cost more. */
export function refusePlainly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  verdict: RateVerdict,
): void {
  const body = pathOf(incoming) === '/graphql' ? GRAPHQL_BODY : REST_BODY;
  answerPlainly(incoming, outgoing, { status: STATUS, body, verdict });
}

interface PlainAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  readonly verdict: RateVerdict;
}

/** Answers without the router, with the headers that all responses have. */
export function answerPlainly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, body, verdict }: PlainAnswer,
): void {
  if (outgoing.destroyed || outgoing.socket?.destroyed) return;
  outgoing.writeHead(status, {
    ...plainHeaders(body, verdict),
    // Pages of any site may call routes that need no key, and must be able to read the refusal.
    ...(incoming.headers.authorization === undefined && ANYWHERE),
    ...(hasLongBody(incoming, READ_TO_THE_END_BYTES) && { Connection: 'close' }),
  });
  outgoing.end(body);
}

/** The headers that every response with a JSON body has. */
export function plainHeaders(body: string, verdict: RateVerdict) {
  return {
    ...SECURE_HEADERS,
    ...rateLimitHeaders(verdict),
    'X-Request-Id': randomUUID(),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
}

const ANYWHERE = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Retry-After',
};

/** The rate verdict for a request that is refused because too many wait. It is not counted. */
export function busyVerdict(policy: RatePolicy): RateVerdict {
  const at = Date.now();
  return verdictOf(policy, {
    allowed: false,
    used: policy.limit,
    at,
    oldestAt: at + BUSY_MS - policy.windowMs,
  });
}

/** The path of a request without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
