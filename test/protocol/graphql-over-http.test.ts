/** GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/), by the audits of graphql-http. */
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiWorld, startApiWorld } from '../api/world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world.close());

const audits = serverAudits({ url: () => `${world.api.url}/graphql` });

it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
  const result = await audit.fn();
  const told = 'reason' in result ? result.reason : '';
  expect(result.status, told).not.toBe('error');
});
