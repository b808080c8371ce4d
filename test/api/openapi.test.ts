import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly security: object[];
  readonly responses: Record<
    string,
    { headers?: object; content: Record<string, { schema: { $ref?: string }; example?: unknown }> }
  >;
}

const world = await sharedByFile(startApiWorld());
const document: { paths: Record<string, Record<string, Operation>>; components: { headers: object } } = (
  await world.request('GET', '/openapi.json')
).body;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
);

it('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document) as never);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe('3.1');
});

it('the description contains every route', () => {
  expect(operations.map(([route]) => route).toSorted()).toEqual([
    'delete /api/checkout/{sessionId}/discount',
    'get /api/checkout/{sessionId}',
    'get /api/checkout/{sessionId}/solana-pay',
    'get /api/customers/{customerId}/state',
    'get /api/exports/customers.csv',
    'get /api/exports/events.csv',
    'get /api/exports/payments.csv',
    'get /api/exports/receipts.csv',
    'get /api/exports/subscriptions.csv',
    'get /api/receipts',
    'get /api/subscriptions',
    'get /checkout/{sessionId}',
    'get /health',
    'get /pay/{linkId}',
    'get /plans/{file}',
    'post /api/checkout/{sessionId}/complete',
    'post /api/checkout/{sessionId}/discount',
    'post /api/checkout/{sessionId}/solana-pay',
    'post /api/checkout/{sessionId}/transaction',
    'post /api/checkout/{sessionId}/wallet',
    'post /api/subscriptions/{subscriptionId}/transaction',
    'post /checkout/create',
    'post /graphql',
    'post /pay/{linkId}',
    'post /portal/create',
  ]);
});

it('every route has a name, a description, credentials, errors and headers', () => {
  const names = new Set(operations.map(([, { operationId }]) => operationId));
  expect(names.size).toBe(operations.length);
  for (const [route, { tags, summary, description, security, responses }] of operations) {
    expect({ route, tags: tags.length, summary: summary !== '', description: description !== '' }).toEqual({
      route,
      tags: 1,
      summary: true,
      description: true,
    });
    expect(security, route).toBeInstanceOf(Array);
    const notModified = route === 'get /api/customers/{customerId}/state' ? ['304'] : [];
    expect(Object.keys(responses), route).toEqual(['200', ...notModified, '400', '401', '404', '429', '500']);
    const { headers } = responses['429'] ?? {};
    const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit'];
    expect(Object.keys(headers ?? {}), route).toEqual(
      expect.arrayContaining([...rateLimitHeaders, 'RateLimit-Policy', 'X-Request-Id', 'Retry-After']),
    );
    for (const name of Object.keys(headers ?? {})) expect(document.components.headers).toHaveProperty(name);
  }
});

it('a route needs a key if and only if its description says so', async () => {
  for (const [route, { security }] of operations) {
    const [method = '', path = ''] = route.split(' ');
    const { status } = await world.request(method.toUpperCase(), path.replace(/\{\w+\}/, 'unknown'), {
      ...(method === 'post' && { body: {} }),
    });
    const needsKey = security.every((requirement) => Object.keys(requirement).length > 0);
    expect({ route, refused: status === 401 }).toEqual({ route, refused: needsKey });
  }
});

it('the description is printed without a database, for the documentation', () => {
  const script = fileURLToPath(new URL('../../tools/scripts/print-openapi.ts', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', script];
  const printed = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  expect(printed.paths).toEqual(document.paths);
});
