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
      message: z.string(),
      param: z.string().optional(),
    }),
  })
  .openapi('Error');

const DESCRIPTIONS = {
  400: 'invalid_request, plan_inactive or session_expired',
  401: 'authentication_error: an invalid or expired API key',
  404: 'not_found',
  429: 'rate_limit_exceeded',
  500: 'internal_error',
} as const;

/** The answers of a route: what it gives, and how it refuses. */
export function answers<T extends z.ZodType, M extends string = 'application/json'>(
  description: string,
  schema: T,
  mediaType: M = 'application/json' as M,
) {
  const refusals = Object.entries(DESCRIPTIONS).map(([status, words]) => [
    status,
    { description: words, content: { 'application/json': { schema: errorBody } } },
  ]);
  return {
    ...(Object.fromEntries(refusals) as object),
    200: { description, content: { [mediaType]: { schema } } as Record<M, { schema: T }> },
  };
}

/** What a route wants in its body. */
export function jsonBody<T extends z.ZodType>(schema: T) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}

/** A moment, ISO 8601 in UTC. */
export const moment = z.iso.datetime();
