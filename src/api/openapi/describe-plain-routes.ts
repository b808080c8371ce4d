import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { ApiEnv } from '../http/api-env.ts';
import { EXAMPLE } from '../rest/examples.ts';
import { HEADERS, jsonBody, responsesOf } from '../rest/responses.ts';
import { MAY_HAVE_KEY, NEEDS_NO_KEY } from '../rest/security.ts';

/** The error response of customers' pages that have only one. */
const NO_SUCH_PAGE = {
  description: 'The checkout or the link does not exist',
  headers: HEADERS,
  content: { 'text/html': { schema: z.string() } },
};

const graphqlError = z.object({
  message: z.string(),
  path: z.array(z.union([z.string(), z.int()])).optional(),
  extensions: z.object({ code: z.string(), param: z.string().optional() }).optional(),
});

const graphqlErrors = {
  schema: z.object({ errors: z.array(graphqlError) }),
  example: ({ message, ...extensions }: { readonly message?: string }) => ({
    errors: [{ message, extensions }],
  }),
};

const graphqlRequest = z
  .object({
    query: z.string().openapi({ description: 'A GraphQL document' }),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().nullish(),
  })
  .openapi({
    example: {
      query: 'query One($id: ID!) { subscription(id: $id) { status } }',
      variables: { id: '9xQe...' },
    },
  });

/** Documents the routes that are not created with an OpenAPI route definition. */
export function describePlainRoutes(registry: OpenAPIHono<ApiEnv>['openAPIRegistry']): void {
  registry.registerPath({
    method: 'post',
    path: '/graphql',
    operationId: 'graphql',
    tags: ['Service'],
    security: MAY_HAVE_KEY,
    summary: 'GraphQL',
    description:
      'All data and actions of a merchant. For live updates use `Accept: text/event-stream` or a WebSocket with the protocol `graphql-transport-ws`. Errors are in `errors`; their `extensions` have the same `code` and `param` as REST errors. With an API key, introspection returns the schema.',
    request: { body: jsonBody(graphqlRequest) },
    responses: responsesOf(
      'The result of the operation',
      z.object({
        data: z.record(z.string(), z.unknown()).nullish(),
        errors: z.array(graphqlError).optional(),
      }),
      'application/json',
      graphqlErrors,
    ),
  });
  registry.registerPath({
    method: 'get',
    path: '/checkout/{sessionId}',
    operationId: 'showCheckoutPage',
    tags: ['Checkout'],
    security: NEEDS_NO_KEY,
    summary: 'The hosted checkout page',
    description:
      'The checkout page for the customer, in HTML. Needs no key: the id of the session gives access.',
    request: { params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }) },
    responses: { ...responsesOf('The page', z.string(), 'text/html'), 404: NO_SUCH_PAGE },
  });
  const linkId = z.object({ linkId: z.string().openapi({ example: EXAMPLE.linkId }) });
  registry.registerPath({
    method: 'get',
    path: '/pay/{linkId}',
    operationId: 'showPaymentLink',
    tags: ['Checkout'],
    security: NEEDS_NO_KEY,
    summary: 'The page of a payment link',
    description:
      'The page of a payment link for customers, in HTML. Needs no key. `?email=` fills in the email. QR codes of the page are at `/pay/{linkId}/qr.svg` and `/pay/{linkId}/qr.png`.',
    request: { params: linkId },
    responses: { ...responsesOf('The page', z.string(), 'text/html'), 404: NO_SUCH_PAGE },
  });
  registry.registerPath({
    method: 'post',
    path: '/pay/{linkId}',
    operationId: 'openPaymentLink',
    tags: ['Checkout'],
    security: NEEDS_NO_KEY,
    summary: 'Open a checkout session with a payment link',
    description:
      'The form on the page of a payment link sends this request. The response redirects to the checkout with status 303. Needs no key. At most 20 requests per minute and network address.',
    request: {
      params: linkId,
      body: {
        content: {
          'application/x-www-form-urlencoded': { schema: z.object({ customerEmail: z.string() }) },
        },
      },
    },
    responses: {
      ...responsesOf('The page of a link that is off', z.string(), 'text/html'),
      404: NO_SUCH_PAGE,
    },
  });
}
