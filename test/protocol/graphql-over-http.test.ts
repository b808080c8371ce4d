/**
 * GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/), by the audits of
 * graphql-http.
 */
import { serverAudits } from 'graphql-http';
import { expect, it } from 'vitest';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

// With a key, because some audits request the schema, which needs a key.
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
  const reason = 'reason' in result ? result.reason : '';
  expect(result.status, reason).not.toBe('error');
});

/** Optional and recommended behaviour that dues does not have. */
const NOT_SUPPORTED = [
  // GET is refused, so that pages of other sites cannot send queries.
  'MAY accept application/x-www-form-urlencoded formatted GET requests',
  'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
  'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
  // Without a body there is no content type either: 415.
  'MAY use 400 status code when request body is missing on POST',
  // 200, like every error for this media type: clients that accept it read the errors.
  'SHOULD use 400 status code on JSON parsing failure when accepting application/json',
];

it('follows all recommendations except the intended exceptions', async () => {
  const results = await Promise.all(audits.map((audit) => audit.fn()));
  const notSupported = results.filter(({ status }) => status !== 'ok').map(({ name }) => name);
  expect(notSupported.toSorted()).toEqual(NOT_SUPPORTED);
});
