import { getIntrospectionQuery } from 'graphql';
import { expect, it } from 'vitest';
import {
  MAX_ALIASES,
  MAX_DEPTH,
  MAX_DIRECTIVES,
  MAX_TOKENS,
} from '../../src/api/graphql/plugins/document-limits.ts';
import { REQUESTS_OF_INTROSPECTION } from '../../src/api/graphql/transport/introspection.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

const ask = (query: string, key: string | undefined = merchant.testKey, variables = {}) =>
  world.request('POST', '/graphql', { ...(key && { key }), body: { query, variables } });
const repeatText = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const payments = (depth: number): string =>
  depth < 1 ? '{ id }' : `{ payments(first: 1) { edges { node { subscription ${payments(depth - 1)} } } } }`;

it.each([
  ['aliases', `{ ${repeatText(MAX_ALIASES + 1, (index) => `a${index}: environment`)} }`],
  [
    'aliases in a fragment',
    `{ ...F } fragment F on Query { ${repeatText(MAX_ALIASES + 1, (index) => `a${index}: environment`)} }`,
  ],
  ['directives', `{ environment ${repeatText(MAX_DIRECTIVES + 1, () => '@include(if: true)')} }`],
  ['levels', `{ subscription(id: "x") ${payments(MAX_DEPTH / 4 + 1)} }`],
  ['words', `{ ${repeatText(MAX_TOKENS, () => 'environment')} }`],
  [
    'rows',
    '{ subscriptions(limit: 100) { data { payments(first: 100) { edges { node { id status amount } } } } } }',
  ],
])('a document with too many %s is refused before it runs', async (_, query) => {
  const { body } = await ask(query);
  expect(body.errors[0].extensions).toEqual({ code: 'invalid_request', param: 'query' });
  expect(body.data ?? null).toBeNull();
});

it('rows requested by a variable count like any others', async () => {
  const query = `query ($rows: Int) {
    subscriptionsConnection(first: $rows) { edges { node { payments(first: $rows) { edges { node { id amount } } } } } }
  }`;
  expect((await ask(query, merchant.testKey, { rows: 100 })).body.errors[0].extensions.param).toBe('query');
  expect((await ask(query, merchant.testKey, { rows: 20 })).body.errors).toBeUndefined();
});

it('the largest query of a dashboard is answered', async () => {
  const query = `{
    subscriptionsConnection(first: 100) {
      totalCount
      edges { cursor node { id status customer { email customerId } plan { planId name amount interval } payments(first: 5) { edges { node { id status amount dueAt paidAt } } } } }
    }
    ${repeatText(MAX_ALIASES, (index) => `a${index}: plan(planId: "x") { planId name }`)}
  }`;
  const { body } = await ask(query);
  expect(body.errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual(
    Array<string>(MAX_ALIASES).fill('not_found'),
  );
});

it('shows the schema to merchants only', async () => {
  const query = getIntrospectionQuery();
  expect((await ask(query)).body.data.__schema.queryType.name).toBe('Query');
  for (const document of [query, '{ __schema { types { name } } }', '{ __type(name: "Plan") { name } }']) {
    const { status, body } = await ask(document, '');
    expect({ status, code: body.errors[0].extensions.code }).toEqual({
      status: 200,
      code: 'invalid_request',
    });
    expect(body.data).toBeUndefined();
  }
  expect((await ask('{ __typename }', '')).body).toEqual({ data: { __typename: 'Query' } });
});

it('refuses an operation that asks for more than the introspection query', async () => {
  const TYPE = 'name fields { name args { name type { name ofType { name } } } type { name } }';
  for (const query of [
    `{ ${repeatText(MAX_ALIASES, (index) => `a${index}: __schema { types { ${TYPE} } }`)} }`,
    `{ ...A b: __schema { types { ...B } } c: __schema { types { ...B } } }
      fragment A on Query { __schema { types { ...B } } }
      fragment B on __Type { fields { args { type { fields { args { type { name } } } } } } }`,
  ]) {
    const { body } = await ask(query);
    expect(body).not.toHaveProperty('data');
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('more of the schema'),
      extensions: { code: 'invalid_request', param: 'query' },
    });
  }
});

it('counts the introspection query as many requests, and keeps its answer', async () => {
  const { testKey } = await world.newKeyedMerchant();
  const query = getIntrospectionQuery();
  const send = () =>
    fetch(`${world.api.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  const remaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'));
  const [first, second] = [await send(), await send()];
  const [text, again] = [await first.text(), await second.text()];
  expect(again).toBe(text);
  expect(JSON.parse(text).data.__schema.queryType.name).toBe('Query');
  const cost = remaining(first) - remaining(second);
  expect(cost).toBeGreaterThan(REQUESTS_OF_INTROSPECTION / 2);
  expect(cost).toBeLessThanOrEqual(REQUESTS_OF_INTROSPECTION + 1);
  const small = await ask('{ __type(name: "Plan") { name fields { name } } }', testKey);
  expect(small.body.data.__type.name).toBe('Plan');
  let status = 200;
  let answered = 0;
  for (; status === 200 && answered < 50; answered++) {
    const response = await send();
    // An unread body would keep its connection.
    await response.arrayBuffer();
    ({ status } = response);
  }
  expect(status).toBe(429);
  expect(answered).toBeLessThan(30);
});

it('a mistyped name is not answered with a suggestion', async () => {
  const { body } = await ask('{ subscriptio(id: "x") { id } plan(planId: "x") { nam } }', '');
  expect(JSON.stringify(body)).not.toContain('Did you mean');
});

it.each([
  [
    'a variable',
    'query ($limit: Int) { subscriptions(limit: $limit) { data { id } } }',
    { limit: 'x' },
    'limit',
  ],
  ['a required variable', 'query ($id: ID!) { subscription(id: $id) { id } }', {}, 'id'],
  ['a literal', '{ subscriptions(limit: "x") { data { id } } }', {}, 'limit'],
  ['a field', '{ subscriptions { nothing } }', {}, 'query'],
  ['a document', '{', {}, 'query'],
])('names %s that is wrong', async (_, query, variables, param) => {
  const { body } = await ask(query, merchant.testKey, variables);
  expect(body.errors[0].extensions).toEqual({ code: 'invalid_request', param });
});

it.each([
  [
    'an argument',
    '{ subscriptions(filter: { planId: "\\u0000" }) { pagination { total } } }',
    'filter.planId',
  ],
  [
    'an argument of an input',
    'mutation { createCheckoutSession(input: { planId: "x", customerEmail: "a@example.com", metadata: { a: { b: "\\u0000" } } }) { id } }',
    'metadata.a.b',
  ],
])('text that cannot be stored in %s is named by its path', async (_, query, param) => {
  const { body } = await ask(query);
  expect(body.errors[0]).toMatchObject({
    message: `${param} must be valid text without NUL, nested at most 64 levels deep.`,
    extensions: { code: 'invalid_request', param },
  });
});

it('nested arguments are checked unless a directive skips their field', async () => {
  const query = `query ($out: Boolean!, $in: Boolean!) {
    customer(id: "nobody") {
      subscriptions(first: 101) @skip(if: $out) { totalCount }
      ... @include(if: $in) { subscriptions(first: 101) { totalCount } }
      ...F @include(if: $in)
    }
  }
  fragment F on Customer { subscriptions(first: 101) { totalCount } }`;
  const errorsOf = async (variables: object) => (await ask(query, merchant.testKey, variables)).body.errors;
  const tooMany = { code: 'invalid_request', param: 'first' };
  expect(await errorsOf({ out: false, in: false })).toMatchObject([{ extensions: tooMany }]);
  expect(await errorsOf({ out: true, in: true })).toMatchObject([{ extensions: tooMany }]);
  const none = { code: 'not_found', param: 'id' };
  expect(await errorsOf({ out: true, in: false })).toMatchObject([{ extensions: none }]);
});
