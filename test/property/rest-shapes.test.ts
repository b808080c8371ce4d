import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startApi } from '../../src/api/server/server.ts';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { hostileJson, hostileText } from './hostile-values.ts';

const RUNS = 60;
const STATUS_OF: Record<string, number> = {
  invalid_request: 400,
  plan_inactive: 400,
  session_expired: 400,
  authentication_error: 401,
  not_found: 404,
};

interface Route {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: readonly string[];
}

const world = await sharedByFile(startApiWorld());
// Behind a proxy, so that every request has its own address and no rate limit is reached.
const api = await sharedByFile(
  startApi({ ...world.ctx, config: { ...world.ctx.config, trustedProxies: ['127.0.0.1'] } }),
);
const routes = routesIn((await world.request('GET', '/openapi.json')).body);

const anyBody = (properties: readonly string[]): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> => {
  const shapes = Object.fromEntries(properties.map((name) => [name, fc.oneof(hostileJson, hostileText)]));
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(shapes, { requiredKeys: [] }).map((body) => JSON.stringify(body)) },
    hostileJson.map((body) => JSON.stringify(body)),
    fc.constantFrom(
      '',
      '{',
      '{"planId":"a","planId":1}',
      '{"__proto__":{"planId":"x"}}',
      '[1e999]',
      '\ufeff{}',
    ),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
  );
};
const types = fc.constantFrom(
  ...Array<string>(5).fill('application/json'),
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data',
  'application/x-www-form-urlencoded; charset=x',
);
const encodings = fc.constantFrom(undefined, undefined, undefined, 'gzip', 'br', 'identity', 'nonsense');

it('a route responds to any request with a result or a documented error', async () => {
  expect(routes.length).toBeGreaterThan(5);
  for (const { method, path, query, body } of routes) {
    const { testKey } = await world.newKeyedMerchant();
    const parts = fc.record({
      segment: hostileText.filter((text) => text !== '' && text.isWellFormed() && !/^\.{1,2}$/.test(text)),
      search: fc.dictionary(fc.constantFrom(...query, 'other'), hostileText, { maxKeys: 3 }),
      sent: anyBody(body),
      type: types,
      encoding: encodings,
      authorization: fc.constantFrom(
        undefined,
        `Bearer ${testKey}`,
        `Bearer ${testKey}x`,
        'Bearer',
        'Basic eDp5',
        'é',
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.ipV4(),
        async ({ segment, search, sent, type, encoding, authorization }, address) => {
          const url = new URL(path.replace(/\{\w+\}/, encodeURIComponent(segment)), api.url);
          for (const [name, value] of Object.entries(search)) url.searchParams.append(name, value);
          const response = await fetch(url, {
            method,
            headers: {
              'x-forwarded-for': address,
              ...(authorization && { authorization }),
              ...(method !== 'get' && { 'content-type': type }),
              ...(encoding && { 'content-encoding': encoding }),
            },
            ...(method !== 'get' && { body: sent }),
          });
          await expectDocumentedShape(response);
        },
      ),
      { numRuns: RUNS },
    );
  }
  expect(world.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

async function expectDocumentedShape(response: Response): Promise<void> {
  const text = await response.text();
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(response.headers.get(name)).toMatch(/^\d+$/);
  }
  expect(text).not.toMatch(/\n\s+at |node_modules|prisma/i);
  if (response.status === 200) return;
  const { error, ...more } = JSON.parse(text);
  expect(more).toEqual({});
  const { code, message, param, ...others } = error;
  expect(others).toEqual({});
  expect(message).toBeTypeOf('string');
  expect(STATUS_OF[code]).toBe(response.status);
  if (code === 'invalid_request') expect(param).toBeTypeOf('string');
}

interface OpenApi {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name: string; in: string }[];
        requestBody?: { content: Record<string, { schema: { properties?: object } }> };
      }
    >
  >;
}

function routesIn({ paths }: OpenApi): Route[] {
  // GraphQL has its own form of errors (graphql-arguments.test.ts), and the hosted pages are HTML.
  const others = ['/graphql', '/checkout/{sessionId}', '/pay/{linkId}'];
  const rest = Object.entries(paths).filter(([path]) => !others.includes(path));
  return rest.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method,
      path,
      query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
      body: Object.keys(requestBody?.content['application/json']?.schema.properties ?? {}),
    })),
  );
}
