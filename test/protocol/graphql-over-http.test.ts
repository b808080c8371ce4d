/** GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/), by the audits of graphql-http. */
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from '../api/world.ts';

let world: ApiWorld;
let merchant: KeyedMerchant;
beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
});
afterAll(() => world.close());

// With a key, for some ask for the schema, which strangers are not told.
const audits = serverAudits({
  url: () => `${world.api.url}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${merchant.testKey}`);
    return fetch(url, { ...init, headers });
  },
});

it.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
  const result = await audit.fn();
  const told = 'reason' in result ? result.reason : '';
  expect(result.status, told).not.toBe('error');
});

/** What may or should be, and is not. */
const NOT_FOLLOWED = [
  // Nothing is asked by GET, so that no page of others can ask.
  'MAY accept application/x-www-form-urlencoded formatted GET requests',
  'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
  'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
  // Without a body there is no content type either: 415.
  'MAY use 400 status code when request body is missing on POST',
  // 200, as all that is wrong with a request of that type: clients that accept it read the errors.
  'SHOULD use 400 status code on JSON parsing failure when accepting application/json',
];

it('of what is only recommended all is followed that is not refused on purpose', async () => {
  const results = await Promise.all(audits.map((audit) => audit.fn()));
  const notFollowed = results.filter(({ status }) => status !== 'ok').map(({ name }) => name);
  expect(notFollowed.toSorted()).toEqual(NOT_FOLLOWED);
});
