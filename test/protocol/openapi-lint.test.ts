import { Spectral } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';
import { beforeAll, expect, it } from 'vitest';
import { type ApiWorld, startApiWorld } from '../api/world.ts';

// The tests share one answer: while Spectral works for seconds, the server of this process closes
// the connection of an earlier request.
let document: Awaited<ReturnType<ApiWorld['request']>>['body'];
beforeAll(async () => {
  const world = await startApiWorld();
  document = (await world.request('GET', '/openapi.json')).body;
  await world.close();
});

/** The severity of an error among Spectral's findings. */
const ERROR = 0;

/**
 * Whether the path leads to the schema of an exported file or a page, whose size is not limited.
 */
const isFile = (path: readonly (string | number)[]) => path.some((key) => String(key).startsWith('text/'));

it('the OpenAPI document has no error by the rules of OpenAPI and of OWASP', async () => {
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [oas, owasp],
    rules: {
      // Requires either the X- headers or the IETF's field. dues sends both; the contract names the
      // former.
      'owasp:api4:2023-rate-limit': 'off',
      // A local server does not use TLS.
      'owasp:api8:2023-no-server-http': 'off',
    },
  } as never);
  const found = await spectral.run(document);
  const errors = found
    .filter(({ severity }) => severity === ERROR)
    .filter(({ code, path }) => !(code === 'owasp:api4:2023-string-limit' && isFile(path)))
    .map(({ code, path, message }) => `${code} at ${path.join(' ')}: ${message}`)
    .toSorted();
  expect(errors).toEqual([]);
});

it('only the texts of files have no maximum length', async () => {
  const csv = document.paths['/api/exports/payments.csv'].get.responses['200'].content['text/csv'];
  expect(csv.schema).toEqual({ type: 'string' });
  expect(JSON.stringify(document)).not.toContain(`"maxLength":${Number.MAX_SAFE_INTEGER}`);
});

it('operations without a key are marked', async () => {
  for (const path of [
    '/api/checkout/{sessionId}/complete',
    '/api/checkout/{sessionId}/transaction',
    '/api/checkout/{sessionId}/wallet',
    '/api/subscriptions/{subscriptionId}/transaction',
  ]) {
    expect(document.paths[path].post).toMatchObject({
      security: [{}],
      description: expect.stringContaining('no key'),
    });
  }
});

it('every described response names the headers of the rate limit', async () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object));
  const responses = operations.flatMap(({ responses }) => Object.values(responses as object));
  expect(responses.length).toBeGreaterThan(50);
  for (const { headers } of responses) expect(Object.keys(headers)).toContain('X-RateLimit-Limit');
});
