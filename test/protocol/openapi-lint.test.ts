import { Spectral } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiWorld, startApiWorld } from '../api/world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world.close());

/** Of Spectral: 0 is an error, 1 a warning. */
const ERROR = 0;

it('the OpenAPI document has no error by the rules of OpenAPI and of OWASP', async () => {
  const { body } = await world.request('GET', '/openapi.json');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [oas, owasp] } as never);
  const found = await spectral.run(body);
  const errors = found
    .filter(({ severity }) => severity === ERROR)
    .map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
  expect(errors).toEqual([]);
});
