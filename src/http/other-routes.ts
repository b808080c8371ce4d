import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { EXAMPLE } from '../rest/examples.ts';
import { answers, HEADERS, jsonBody } from '../rest/responses.ts';
import { MAY_HAVE_KEY, NEEDS_NOTHING } from '../rest/security.ts';
import type { ApiEnv } from './api-env.ts';

/** The one refusal that customers read. */
const NO_SUCH_PAGE = {
  description: 'There is no such checkout',
  headers: HEADERS,
  content: { 'text/html': { schema: z.string() } },
};

const graphqlError = z.object({
  message: z.string(),
  path: z.array(z.union([z.string(), z.int()])).optional(),
  extensions: z.object({ code: z.string(), param: z.string().optional() }).optional(),
});

const inGraphql = {
  schema: z.object({ errors: z.array(graphqlError) }),
  example: ({ message, ...extensions }: { readonly message?: string }) => ({
    errors: [{ message, extensions }],
  }),
};

const graphqlRequest = z
  .object({
    query: z.string().openapi({ description: 'One document' }),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().nullish(),
  })
  .openapi({
    example: {
      query: 'query One($id: ID!) { subscription(id: $id) { status } }',
      variables: { id: '9xQe...' },
    },
  });

/** Puts the routes into the description that are not made of one. */
export function describeOtherRoutes(registry: OpenAPIHono<ApiEnv>['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/graphql',
    operationId: 'graphql',
    tags: ['Service'],
    security: MAY_HAVE_KEY,
    summary: 'GraphQL',
    description:
      'Everything there is, and live updates: with `Accept: text/event-stream`, or by WebSocket (`graphql-transport-ws`). Errors stand in `errors`, with the same `code` and `param` in their `extensions`. Introspection tells the schema.',
    request: { body: jsonBody(graphqlRequest) },
    responses: answers(
      'What the document asked for',
      z.object({
        data: z.record(z.string(), z.unknown()).nullish(),
        errors: z.array(graphqlError).optional(),
      }),
      'application/json',
      inGraphql,
    ),
  });
  registry.registerPath({
    method: 'get',
    path: '/checkout/{sessionId}',
    operationId: 'showCheckoutPage',
    tags: ['Checkout'],
    security: NEEDS_NOTHING,
    summary: 'The hosted checkout page',
    description: 'For customers, in HTML. Needs no key: the id of the session is the permission.',
    request: { params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }) },
    responses: { ...answers('The page', z.string(), 'text/html'), 404: NO_SUCH_PAGE },
  });
}
