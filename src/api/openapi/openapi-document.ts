import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Config } from '../../config.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { boundSchemas } from './bounded-schemas.ts';
import { describePlainRoutes } from './describe-plain-routes.ts';

export type OpenApiDocument = ReturnType<OpenAPIHono<ApiEnv>['getOpenAPI31Document']>;

const DESCRIPTION = `Recurring billing for merchants on Solana.

Send \`Authorization: Bearer <API key>\` with every request, except to routes that need no key. A key that begins with
\`sk_test_\` belongs to the test environment (Devnet), a key that begins with \`sk_live_\` to the live environment (Mainnet). Use keys only in backends.

Amounts are integer strings in base units of the token. Times are ISO 8601 in UTC. A request with an unknown field is
refused. REST has the routes that a checkout needs, some lists and the CSV exports; everything else is in GraphQL, at
\`POST /graphql\`.`;

const TAGS = [
  { name: 'Checkout', description: 'Checkout sessions, from their creation to the subscription.' },
  { name: 'Subscriptions', description: 'Subscriptions with their status and customer.' },
  { name: 'Receipts', description: 'Numbered receipts of payments, with proof on chain.' },
  { name: 'Portal', description: 'The customer portal, where customers see and change their subscriptions.' },
  { name: 'Plans', description: 'The plans that merchants sell. They are created over GraphQL.' },
  { name: 'Exports', description: 'Lists as CSV files.' },
  { name: 'Service', description: 'GraphQL and the health of the service.' },
];

const HEADERS = {
  'X-RateLimit-Limit': ['Requests allowed in the window', 'integer', 1000],
  'X-RateLimit-Remaining': ['Requests that remain in the window', 'integer', 999],
  'X-RateLimit-Reset': [
    'When the oldest counted request leaves the window, in Unix seconds',
    'integer',
    1796126460,
  ],
  'Retry-After': ['Seconds to wait before the request is sent again', 'integer', 42],
  RateLimit: [
    'Remaining requests and seconds until the reset, in the header field of the IETF draft',
    'string',
    '"default";r=999;t=60',
  ],
  'RateLimit-Policy': [
    'Allowed requests and seconds of the window, in the header field of the IETF draft',
    'string',
    '"default";q=1000;w=60',
  ],
  'Access-Control-Allow-Origin': [
    '`*` for routes that need no API key: pages of any site may read the response. Other routes do not send this header',
    'string',
    '*',
  ],
  'X-Request-Id': [
    "Id of the request in the service's log",
    'string',
    '0190b7c4-5b1e-7c3a-9f64-2f6f0f7f0a11',
  ],
} as const;

/** Creates the OpenAPI 3.1 document of all routes. Must be called after all routes were added. */
export function openApiDocument(
  router: OpenAPIHono<ApiEnv>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): OpenApiDocument {
  const { openAPIRegistry: registry } = router;
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `sk_test_...` or `sk_live_...`.',
  });
  for (const [name, [description, type, example]] of Object.entries(HEADERS)) {
    registry.registerComponent('headers', name, { description, schema: { type }, example });
  }
  describePlainRoutes(registry);
  const description = router.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'dues',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [
      { url: publicUrl, description: 'The API key decides between test and live', 'x-internal': false },
    ],
    tags: TAGS,
  });
  boundSchemas(description);
  return description;
}
