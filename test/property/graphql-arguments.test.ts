import fc from 'fast-check';
import { isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiWorld, startApiWorld } from '../api/world.ts';
import { nastyFor } from './nasty.ts';
import { documentFor, type RootField, rootFields } from './operations.ts';

const RUNS = 40;
const CODES = [
  'invalid_request',
  'not_found',
  'plan_inactive',
  'session_expired',
  'authentication_error',
  'live_interrupted',
];

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld();
});
afterAll(() => world.close());

const fields = rootFields('Query', 'Mutation', 'Subscription')
  .filter(({ field }) => field.args.length > 0)
  .map((each): [string, RootField] => [`${each.root}.${each.field.name}`, each]);

it.each(fields)('whatever %s is given, it says what is wrong, and nothing breaks', async (_, rootField) => {
  const { field } = rootField;
  // A merchant of its own, so that no limit hides what comes after it.
  const { testKey } = await world.keyedMerchant();
  const args = fc.record(Object.fromEntries(field.args.map(({ name, type }) => [name, nastyFor(type)])), {
    requiredKeys: field.args.filter(isRequiredArgument).map(({ name }) => name),
  });
  const before = world.logged.length;
  await fc.assert(
    fc.asyncProperty(args, fc.boolean(), async (variables, withKey) => {
      const text = await ask(withKey ? testKey : undefined, documentFor(rootField), variables);
      expect(text).not.toMatch(/\n\s+at |node_modules|prisma|internal_error/i);
      for (const { message, extensions } of errorsIn(text)) {
        expect(message).toBeTypeOf('string');
        expect(CODES).toContain(extensions.code);
        if (extensions.code === 'invalid_request') expect(extensions.param).toBeTypeOf('string');
      }
    }),
    { numRuns: RUNS },
  );
  expect(world.logged.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

/** The answer; of a stream, its beginning. */
async function ask(key: string | undefined, query: string, variables: object): Promise<string> {
  const leaving = new AbortController();
  const response = await fetch(`${world.api.url}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'content-type': 'application/json',
      accept: query.startsWith('subscription') ? 'text/event-stream' : 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.text();
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  leaving.abort();
  return new TextDecoder().decode(value);
}

function errorsIn(text: string): { message: string; extensions: { code: string; param?: string } }[] {
  if (!text.startsWith('{')) return [];
  return JSON.parse(text).errors ?? [];
}
