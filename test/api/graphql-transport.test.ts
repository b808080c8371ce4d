import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

const ME = '{ merchant { companyName } }';

function post(body: unknown, key: string | undefined = merchant.testKey, headers = {}) {
  return world.request('POST', '/graphql', { key, body, headers });
}

it('a query by GET is refused, so that pages of other sites cannot send one', async () => {
  const { status, headers, body } = await world.request('GET', `/graphql?query=${encodeURIComponent(ME)}`, {
    key: merchant.testKey,
  });
  expect({ status, allow: headers.get('allow'), code: body.errors[0].extensions.code }).toEqual({
    status: 405,
    allow: 'POST',
    code: 'invalid_request',
  });
});

it('GraphQL has no IDE and no landing page', async () => {
  const { status, body } = await world.request('GET', '/graphql', { headers: { accept: 'text/html' } });
  expect(status).toBe(405);
  expect(JSON.stringify(body)).not.toContain('<');
});

it.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/graphql',
  'application/json-seq',
])('a body of %s is refused', async (type) => {
  const body = JSON.stringify({ query: ME });
  expect((await post(body, merchant.testKey, { 'content-type': type })).status).toBe(415);
});

it('several queries in one request are refused', async () => {
  const { status, body } = await post([{ query: ME }, { query: ME }]);
  expect(status).toBe(400);
  expect(body.data).toBeUndefined();
});

it.each([
  ['malformed JSON', '{"query":', 'body'],
  ['no query', {}, 'body'],
  ['a query that cannot be parsed', { query: '{ merchant {' }, 'query'],
  ['an unknown field', { query: '{ secrets }' }, 'query'],
  ['a missing variable', { query: 'query ($id: ID!) { subscription(id: $id) { id } }', variables: {} }, 'id'],
])('%s is an invalid request', async (_, body, param) => {
  const answer = await post(body, merchant.testKey, { accept: 'application/graphql-response+json' });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].extensions).toEqual({ code: 'invalid_request', param });
});

it.each(['application/json', 'application/graphql-response+json', 'text/html'])(
  'a live operation that accepts %s is refused with a message',
  async (accept) => {
    const answer = await post({ query: 'subscription { events { id } }' }, merchant.testKey, { accept });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      errors: [{ message: expect.any(String), extensions: { code: 'invalid_request', param: 'Accept' } }],
    });
  },
);

it('refuses an unsupported Accept type, and names the supported ones', async () => {
  const { status, body } = await post({ query: ME }, merchant.testKey, { accept: 'text/html' });
  expect({ status, ...body.errors[0] }).toEqual({
    status: 400,
    message: 'Accept must allow application/json or application/graphql-response+json.',
    extensions: { code: 'invalid_request', param: 'Accept' },
  });
});

const BY_STATUS =
  'query ($status: SubscriptionStatus) { subscriptions(filter: { status: $status }) { data { id } } }';

it.each([
  ['an unknown literal', { query: BY_STATUS.replace(/^.*?\) /, '').replace('$status', 'WRONG') }],
  ['a string literal', { query: BY_STATUS.replace(/^.*?\) /, '').replace('$status', '"ACTIVE"') }],
  ['an unknown value in a variable', { query: BY_STATUS, variables: { status: 'WRONG' } }],
  ['a number in a variable', { query: BY_STATUS, variables: { status: 5 } }],
])('%s for an enum is answered with the values of the enum', async (_, request) => {
  const { body } = await post(request);
  expect(body.errors[0]).toMatchObject({
    message: expect.stringMatching(/\. It must be one of ACTIVE, CANCELLED, EXPIRED, PAST_DUE\.$/),
    extensions: { code: 'invalid_request', param: 'filter.status' },
  });
});

it.each([
  ['application/json', [200, 200, 200, 200, 200, 400, 400, 200]],
  ['*/*', [200, 200, 200, 200, 200, 400, 400, 200]],
  ['application/graphql-response+json', [400, 400, 400, 400, 400, 400, 400, 200]],
])('the status of a refusal depends on the Accept header: %s', async (accept, statuses) => {
  const withVariable = 'query ($id: ID!) { subscription(id: $id) { id } }';
  const answers = [
    await post('{"query":', merchant.testKey, { accept }),
    await post({}, merchant.testKey, { accept }),
    await post({ query: '{ merchant {' }, merchant.testKey, { accept }),
    await post({ query: '{ secrets }' }, merchant.testKey, { accept }),
    await post({ query: '{ merchant(secret: 1) { companyName } }' }, merchant.testKey, { accept }),
    await post({ query: withVariable }, merchant.testKey, { accept }),
    await post({ query: withVariable, variables: { id: [] } }, merchant.testKey, { accept }),
    await world.request('POST', '/graphql', { body: { query: ME }, headers: { accept } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  for (const { body } of answers) expect(body.errors[0].extensions.code).toMatch(/^(invalid_request|auth)/);
});

it('a wrong key is refused with 401 before anything runs', async () => {
  const { status, body } = await post({ query: ME }, 'sk_test_wrong');
  expect(status).toBe(401);
  expect(body).toEqual({
    errors: [{ message: 'Invalid or expired API key.', extensions: { code: 'authentication_error' } }],
  });
});

it('without a key each field that needs one has its own error', async () => {
  const { status, body } = await world.request('POST', '/graphql', {
    body: { query: '{ plan(planId: "x") { name } checkoutSession(id: "x") { id } }' },
  });
  expect(status).toBe(200);
  expect(body.data).toEqual({ plan: null, checkoutSession: null });
  expect(
    body.errors.map((error: { path: string[]; extensions: { code: string } }) => [
      error.path[0],
      error.extensions.code,
    ]),
  ).toEqual([
    ['plan', 'authentication_error'],
    ['checkoutSession', 'not_found'],
  ]);
});

it('a body that is too large is refused', async () => {
  const { status, body } = await post({ query: ME, variables: { pad: 'x'.repeat(100_000) } });
  expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'invalid_request' });
});

it('an internal error is masked, and logged with the id of the request', async () => {
  const api = await world.startWithoutDatabase();
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ checkoutSession(id: "x") { id } }' }),
  });
  const { errors } = (await response.json()) as { errors: { message: string; extensions: object }[] };
  expect(errors).toMatchObject([
    { message: 'Something went wrong on our side.', extensions: { code: 'internal_error' } },
  ]);
  const requestId = response.headers.get('x-request-id');
  const line = world.logged.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'resolver failed');
  expect(line).toMatchObject({ requestId, path: ['checkoutSession'] });
  await api.close();
});

it('an answer carries the id of its request and its rate limit', async () => {
  const { headers } = await post({ query: ME });
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/);
  expect(headers.get('x-ratelimit-limit')).toBe('1000');
});
