import { z } from '@hono/zod-openapi';

/** Body of every error. */
export const errorBody = z
  .object({
    error: z.object({
      code: z.enum([
        'authentication_error',
        'invalid_request',
        'not_found',
        'plan_inactive',
        'session_expired',
        'rate_limit_exceeded',
        'internal_error',
      ]),
      message: z.string().openapi({ description: 'Message for people: what is wrong and what is allowed' }),
      param: z.string().optional().openapi({
        description: 'Name of the invalid parameter as in the request; left out if no parameter is invalid',
      }),
    }),
  })
  .openapi('Error');

const REFUSALS = {
  400: {
    description: '`invalid_request`, `plan_inactive` or `session_expired`',
    example: { code: 'invalid_request', message: 'planId is required.', param: 'planId' },
  },
  401: {
    description: '`authentication_error`: the API key is missing, invalid or expired, or lacks the scope',
    example: { code: 'authentication_error', message: 'Invalid or expired API key.' },
  },
  404: {
    description: '`not_found`: the object does not exist in the environment of the key',
    example: { code: 'not_found', message: 'No such checkout session.', param: 'sessionId' },
  },
  429: {
    description: '`rate_limit_exceeded`: too many requests',
    example: {
      code: 'rate_limit_exceeded',
      message: 'Too many requests; try again at X-RateLimit-Reset.',
    },
  },
  500: {
    description:
      "`internal_error`: an error of the service. `X-Request-Id` identifies it in the service's log. With `Retry-After` the service was busy: send the same request again after that time",
    example: { code: 'internal_error', message: 'Something went wrong on our side.' },
  },
} as const;

/** Headers of every response, described in openapi-document.ts. */
export const HEADERS = Object.fromEntries(
  [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'RateLimit',
    'RateLimit-Policy',
    'Access-Control-Allow-Origin',
    'X-Request-Id',
  ].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);
/** Statuses whose responses may state when to send the same request again. */
const MAY_BE_REPEATED = ['429', '500'];
const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };

const IN_REST = { schema: errorBody, example: (error: object) => ({ error }) };

/** Describes the responses of a route: its result and its errors. */
export function responsesOf<T extends z.ZodType, M extends string = 'application/json'>(
  description: string,
  schema: T,
  mediaType: M = 'application/json' as M,
  refusal: { readonly schema: z.ZodType; readonly example?: (error: object) => object } = IN_REST,
) {
  const refusals = Object.entries(REFUSALS).map(([status, { description, example }]) => [
    status,
    {
      description,
      headers: MAY_BE_REPEATED.includes(status) ? { ...HEADERS, ...RETRY_AFTER } : HEADERS,
      content: { 'application/json': { schema: refusal.schema, example: refusal.example?.(example) } },
    },
  ]);
  return {
    ...(Object.fromEntries(refusals) as object),
    200: { description, headers: HEADERS, content: { [mediaType]: { schema } } as Record<M, { schema: T }> },
  };
}

/** Describes the JSON body of a route. */
export function jsonBody<T extends z.ZodType>(schema: T) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}

/** A time in ISO 8601, UTC. */
export const isoTime = z.iso.datetime();
