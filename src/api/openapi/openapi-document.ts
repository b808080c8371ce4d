import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Config } from '../../config.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { boundSchemas } from './bounded-schemas.ts';
import { describePlainRoutes } from './describe-plain-routes.ts';

export type OpenApiDocument = ReturnType<OpenAPIHono<ApiEnv>['getOpenAPI31Document']>;

const DESCRIPTION = `Recurring billing for merchants on Solana.

Every request carries \`Authorization: Bearer <API key>\`, except those that say that they need none. A key that begins with
\`sk_test_\` belongs to the test environment (Devnet), one that begins with \`sk_live_\` to the live environment (Mainnet). Keys are for backends.

Amounts are integer strings in base units of the asset. Moments are ISO 8601 in UTC. A field that a request does not know is
refused. What a checkout needs is here; everything else is in GraphQL, at \`POST /graphql\`.`;

const TAGS = [
  { name: 'Checkout', description: 'From the order to the subscription.' },
  { name: 'Subscriptions', description: 'Who subscribes.' },
  { name: 'Receipts', description: 'What was paid, with a number and a proof.' },
  { name: 'Portal', description: 'Where customers see and change their subscriptions.' },
  { name: 'Plans', description: 'The plans that merchants sell. They are created over GraphQL.' },
  { name: 'Exports', description: 'Lists as CSV files.' },
  { name: 'Service', description: 'GraphQL and the health of the service.' },
];

const HEADERS = {
  'X-RateLimit-Limit': ['Requests allowed in the window', 'integer', 1000],
  'X-RateLimit-Remaining': ['Requests left in the window', 'integer', 999],
  'X-RateLimit-Reset': [
    'When the oldest counted request leaves the window, in Unix seconds',
    'integer',
    1796126460,
  ],
  'Retry-After': ['Seconds to wait', 'integer', 42],
  RateLimit: [
    "The same values in the IETF's header field: requests left, seconds until the reset",
    'string',
    '"default";r=999;t=60',
  ],
  'RateLimit-Policy': [
    "The limit in the IETF's header field: requests, seconds",
    'string',
    '"default";q=1000;w=60',
  ],
  'Access-Control-Allow-Origin': [
    '`*` for routes that need no API key: any page may read the response. Other routes do not send it',
    'string',
    '*',
  ],
  'X-Request-Id': ['Identifies the request in our log', 'string', '0190b7c4-5b1e-7c3a-9f64-2f6f0f7f0a11'],
} as const;

/** The OpenAPI 3.1 document of all routes. Called after all routes were added. */
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
    servers: [{ url: publicUrl, description: 'Test or live, according to the API key', 'x-internal': false }],
    tags: TAGS,
  });
  boundSchemas(description);
  return description;
}
