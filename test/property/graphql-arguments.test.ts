import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { expect, it } from 'vitest';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { Browser } from '../api/browser.ts';
import { type KeyedMerchant, startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { hostileValueFor } from './hostile-values.ts';
import { documentFor, nestedArguments, type RootField, rootFields } from './operations.ts';

const RUNS = 25;
const CODES = [
  'invalid_request',
  'not_found',
  'plan_inactive',
  'session_expired',
  'authentication_error',
  'live_interrupted',
  // createMerchant allows few attempts per address.
  'rate_limit_exceeded',
];

const world = await sharedByFile(startApiWorld({ trustedProxies: ['127.0.0.1', '::1'] }));

const fields = rootFields('Query', 'Mutation', 'Subscription')
  .filter(({ field }) => field.args.length > 0)
  .map((each): [string, RootField] => [`${each.root}.${each.field.name}`, each]);

it.each(fields)('responds with a proper result or error to any argument of %s', async (_, rootField) => {
  const { field } = rootField;
  const { callers } = await newMerchant();
  await expectProperErrors(field.args, callers, documentFor(rootField));
});

// Fields whose objects have fields with arguments.
const PARENTS = ['customer', 'discount', 'subscription', 'webhookEndpoint'];
const nested = rootFields('Query').filter(({ field }) => PARENTS.includes(field.name));

it.each(nested.map((each): [string, RootField] => [each.field.name, each]))(
  'responds with a proper result or error to any argument below %s',
  async (name, { field }) => {
    const { merchant, callers } = await newMerchant();
    const plan = await world.publishPlan(merchant);
    const { address, customerId } = await world.subscribe(merchant, plan, await world.newWallet());
    const { endpoint } = await createEndpoint(world.ctx, {
      ...merchant.scope,
      url: 'https://shop.example/hooks',
    });
    const terms = { name: 'Spring', percentBps: 1_000, duration: 'ONCE' } as const;
    const discount = await createDiscount(world.ctx, merchant.scope, terms);
    const id = {
      customer: customerId,
      discount: discount.id,
      subscription: address,
      webhookEndpoint: endpoint.id,
    }[name];
    const nestedFields = fieldsWithArguments(field.type);
    expect(nestedFields).not.toHaveLength(0);
    for (const each of nestedFields) {
      const declared = each.args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
      const given = each.args.map(({ name }) => `${name}: $${name}`).join(', ');
      const document = `query (${declared}) { ${name}(id: "${id}") { ${each.name}(${given}) { __typename } } }`;
      await expectProperErrors(each.args, callers, document);
    }
  },
);

it('the errors of a stream are seen', async () => {
  const { callers } = await newMerchant();
  const document = 'subscription ($after: String) { events(after: $after) { __typename } }';
  const received = await ask(callers[1] ?? {}, document, { after: 'nonsense' });
  expect(errorsIn(received)).toMatchObject([{ extensions: { code: 'invalid_request' } }]);
});

it('every nested field with arguments is tested', () => {
  const tested = nested.flatMap(({ field }) =>
    fieldsWithArguments(field.type).map(({ name }) => `${getNamedType(field.type)}.${name}`),
  );
  const all = nestedArguments().map(({ path }) => path.split('.').slice(0, 2).join('.'));
  expect(new Set(tested)).toEqual(new Set(all));
});

type Caller = Readonly<Record<string, string>>;

let addresses = 0;

/**
 * Creates a merchant with its own IP address, so that rate limits which one test reaches do not
 * affect the next. Returns it with three callers: one without a key, its backend and its dashboard.
 */
async function newMerchant(): Promise<{ merchant: KeyedMerchant; callers: readonly Caller[] }> {
  const merchant = await world.newKeyedMerchant();
  const forwarded = `203.0.113.${++addresses}`;
  const dashboard = new Browser(world, { forwarded });
  await dashboard.signIn(merchant.wallet);
  const callers = [
    { 'x-forwarded-for': forwarded },
    { authorization: `Bearer ${merchant.testKey}` },
    dashboard.headers,
  ];
  return { merchant, callers };
}

async function expectProperErrors(
  args: readonly GraphQLArgument[],
  callers: readonly Caller[],
  document: string,
): Promise<void> {
  const given = fc.record(Object.fromEntries(args.map(({ name, type }) => [name, hostileValueFor(type)])), {
    requiredKeys: args.filter(isRequiredArgument).map(({ name }) => name),
  });
  const before = world.logged.length;
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...callers), async (variables, caller) => {
      const text = await ask(caller, document, variables);
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
}

function fieldsWithArguments(type: GraphQLOutputType) {
  const named = getNamedType(type);
  return isObjectType(named) ? Object.values(named.getFields()).filter(({ args }) => args.length > 0) : [];
}

/** A stream that sends no event for so long has begun without an error. */
const SILENT_MS = 200;

/** Sends a request. Returns the response, or the JSON of a stream's first event. */
async function ask(caller: Caller, query: string, variables: object): Promise<string> {
  const leaving = new AbortController();
  const response = await fetch(`${world.api.url}/graphql`, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'content-type': 'application/json',
      accept: query.startsWith('subscription') ? 'text/event-stream' : 'application/json',
      ...caller,
    },
    body: JSON.stringify({ query, variables }),
  });
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.text();
  const timer = setTimeout(() => leaving.abort(), SILENT_MS);
  try {
    return await firstEvent(response);
  } catch (error) {
    if (leaving.signal.aborted) return '';
    throw error;
  } finally {
    clearTimeout(timer);
    leaving.abort();
  }
}

/** The data of a stream's first event; empty if it ends without one. */
async function firstEvent(response: Response): Promise<string> {
  let received = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    received += decoder.decode(chunk, { stream: true });
    const data = /^data: (.*)\n\n/m.exec(received)?.[1];
    if (data) return data;
  }
  return '';
}

function errorsIn(text: string): { message: string; extensions: { code: string; param?: string } }[] {
  return text === '' ? [] : (JSON.parse(text).errors ?? []);
}
