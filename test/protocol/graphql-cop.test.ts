/**
 * The checks of graphql-cop (https://github.com/dolevf/graphql-cop) for a GraphQL API: its twelve
 * first checks, with the same requests, and the two that it added later.
 */
import { getIntrospectionQuery } from 'graphql';
import { expect, it } from 'vitest';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());

const ask = async (query: string) => (await world.request('POST', '/graphql', { body: { query } })).body;
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

it('alias overloading', async () => {
  const { data } = await ask(`query cop { ${times(101, (index) => `alias${index}:__typename`)} }`);
  expect(data?.alias100).toBeUndefined();
});

it('batch queries', async () => {
  const body = Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' }));
  const response = await world.request('POST', '/graphql', { body });
  expect(response.status).toBe(400);
  expect(Array.isArray(response.body)).toBe(false);
});

it('queries by GET', async () => {
  const { status, body } = await world.request('GET', '/graphql?query=query%20cop%20%7B__typename%7D');
  expect({ status, data: body.data }).toEqual({ status: 405, data: undefined });
});

it('mutations by GET', async () => {
  const { status, body } = await world.request('GET', '/graphql?query=mutation%20cop%20%7B__typename%7D');
  expect({ status, data: body.data }).toEqual({ status: 405, data: undefined });
});

it('queries by POST of a form', async () => {
  const { status, body } = await world.request('POST', '/graphql', {
    body: 'query=query%20cop%20%7B__typename%7D',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect({ status, data: body.data }).toEqual({ status: 415, data: undefined });
});

it('traces and debugging', async () => {
  const response = await ask('query cop { __typename }');
  expect(response).toEqual({ data: { __typename: 'Query' } });
});

it('field duplication', async () => {
  const { data, errors } = await ask(`query cop { ${times(500, () => '__typename')} }`);
  expect(data?.__typename).toBeUndefined();
  expect(errors[0].extensions).toEqual({ code: 'invalid_request', param: 'query' });
});

it('field suggestions', async () => {
  const response = await ask('query cop { __schema { directive } }');
  expect(JSON.stringify(response)).not.toContain('Did you mean');
});

it.each(['/graphql', '/graphiql', '/playground', '/console', '/'])('an IDE at %s', async (path) => {
  const { body } = await world.request('GET', path, { headers: { accept: 'text/html' } });
  expect(JSON.stringify(body)).not.toMatch(/graphiql|graphql playground|graphql-playground|apollo sandbox/i);
});

it('introspection', async () => {
  expect((await ask('query cop { __schema { types { name fields { name } } } }')).data).toBeUndefined();
  expect((await ask(getIntrospectionQuery())).data).toBeUndefined();
});

it('directive overloading', async () => {
  const { data, errors } = await ask(`query cop { __typename ${'@aa'.repeat(10)} }`);
  expect(data).toBeUndefined();
  expect(errors).not.toHaveLength(10);
});

it('circular queries by introspection', async () => {
  const fields = (depth: number): string => `fields { type { ${depth > 0 ? fields(depth - 1) : 'name'} } }`;
  const { data } = await ask(`query cop { __schema { types { ${fields(4)} } } }`);
  expect(data).toBeUndefined();
});

it('circular fragments', async () => {
  const { data, errors } = await ask(`
    query cop { __schema { ...A } }
    fragment A on __Schema { __typename ...B }
    fragment B on __Schema { ...A }`);
  expect(data).toBeUndefined();
  expect(errors).not.toEqual([]);
});

it('unhandled errors', async () => {
  const { errors } = await ask('qwerty cop { abc }');
  expect(errors.map(({ extensions }: { extensions: object }) => extensions)).toEqual([
    { code: 'invalid_request', param: 'query' },
  ]);
});
