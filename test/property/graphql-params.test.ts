import fc from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { expect, it } from 'vitest';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { argumentsOf, type RootField, rootFields } from './operations.ts';

// Fewer than a merchant's limit per minute.
const RUNS = 400;

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

/** Invalid values, by the name of a scalar. */
const INVALID_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  String: [1, 1.5, true, { a: 1 }],
  ID: [1.5, true, { a: 1 }],
  Int: ['x', '1', 1.5, 2 ** 31, true, { a: 1 }],
  Boolean: ['x', 0, { a: 1 }],
  DateTime: [
    'x',
    '',
    '2026-12-01',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-12-01T24:00:00Z',
    5,
    true,
    { a: 1 },
  ],
  TokenAmount: [
    'x',
    '',
    '-1',
    '01',
    '00',
    '+1',
    ' 1',
    '1e3',
    '1.5',
    '18446744073709551616',
    5,
    true,
    { a: 1 },
  ],
};

/** An argument with an invalid part, and the path of that part. */
interface Mistake {
  readonly value: unknown;
  readonly at: readonly (string | number)[];
}

/** All mistakes that a value of the type can have. A JSON value can have none. */
function mistakesIn(type: GraphQLInputType): Mistake[] {
  if (isNonNullType(type)) return [{ value: null, at: [] }, ...mistakesIn(type.ofType)];
  if (isListType(type)) {
    return mistakesIn(type.ofType).map(({ value, at }) => ({
      value: [sample(type.ofType), value],
      at: [1, ...at],
    }));
  }
  if (isEnumType(type)) return ['NO_SUCH_VALUE', 5, { a: 1 }].map((value) => ({ value, at: [] }));
  if (!isInputObjectType(type)) return (INVALID_VALUES[type.name] ?? []).map((value) => ({ value, at: [] }));
  const valid = sample(type) as Record<string, unknown>;
  const { required, fields } = Object.values(type.getFields()).reduce(
    (parts, field) => {
      if (isRequiredInputField(field)) parts.required.push(field.name);
      for (const { value, at } of mistakesIn(field.type)) {
        parts.fields.push({ value: { ...valid, [field.name]: value }, at: [field.name, ...at] });
      }
      return parts;
    },
    { required: [] as string[], fields: [] as Mistake[] },
  );
  const missing = required.map((name) => {
    const { [name]: _, ...rest } = valid;
    return { value: rest, at: [name] };
  });
  return [...fields, ...missing, { value: { ...valid, noSuchField: 1 }, at: ['noSuchField'] }];
}

/** A valid value of the type, with only the required fields. */
function sample(type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [sample(nullable.ofType)];
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
  if (isInputObjectType(nullable)) {
    const required = Object.values(nullable.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, sample(field.type)]));
  }
  const samples: Record<string, unknown> = {
    Int: 1,
    Boolean: true,
    DateTime: '2026-12-01T00:00:00Z',
    TokenAmount: '1',
    JSON: {},
  };
  return samples[(nullable as { name: string }).name] ?? 'x';
}

/** The value as a literal of a document. */
function literal(type: GraphQLInputType | undefined, value: unknown): string {
  const nullable = type && getNullableType(type);
  if (Array.isArray(value)) {
    return `[${value.map((each) => literal(isListType(nullable) ? nullable.ofType : undefined, each)).join(' ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
    return `{${Object.entries(value)
      .map(([name, each]) => `${name}: ${literal(fields[name]?.type, each)}`)
      .join(' ')}}`;
  }
  return isEnumType(nullable) && typeof value === 'string' ? value : JSON.stringify(value);
}

const cases = rootFields('Query', 'Mutation', 'Subscription').flatMap((root) =>
  root.field.args.flatMap((argument) =>
    mistakesIn(argument.type).map((mistake) => ({ root, argument, mistake })),
  ),
);

function documentOf({ root, field }: RootField, declaration: string, name: string, value: string): string {
  const others = field.args
    .filter((argument) => isRequiredArgument(argument) && argument.name !== name)
    .map((argument) => `${argument.name}: ${literal(argument.type, sample(argument.type))}`);
  const all = [...others, `${name}: ${value}`].join(', ');
  return `${root.toLowerCase()}${declaration} { ${field.name}(${all}) ${isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'} }`;
}

it('the error of an invalid argument has its path as `param`', async () => {
  expect(cases.length).toBeGreaterThan(200);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...cases),
      fc.boolean(),
      async ({ root, argument, mistake }, inDocument) => {
        const { name, type } = argument;
        const { value, at } = mistake;
        const [first, ...rest] = [name, ...at];
        const param = (first === 'input' && rest.length > 0 ? rest : [first, ...rest]).join('.');
        const query = inDocument
          ? documentOf(root, '', name, literal(type, value))
          : documentOf(root, `($value: ${type})`, name, '$value');
        const { body } = await world.request('POST', '/graphql', {
          key: merchant.testKey,
          body: { query, ...(inDocument ? {} : { variables: { value } }) },
        });
        const params = body.errors.map(({ message, extensions }: ArgumentError) => {
          expect(message).toBeTypeOf('string');
          expect(extensions.code).toBe('invalid_request');
          return extensions.param;
        });
        expect(params, query).toContain(param);
      },
    ),
    { numRuns: RUNS },
  );
});

interface ArgumentError {
  readonly message: string;
  readonly extensions: { readonly code: string; readonly param: string };
}

it.each([
  [
    'createPlan(input: {planId: "x", name: "x", amount: "1", interval: 3600, maxAmount: null}) { transaction }',
    'maxAmount',
  ],
  ['createRefund(input: {paymentId: "x", amount: null}) { id }', 'amount'],
  ['updateSettings(input: {sponsoredLamportsPerDay: null}) { __typename }', 'sponsoredLamportsPerDay'],
])('null is no amount: %s', async (mutation, param) => {
  const { body } = await world.request('POST', '/graphql', {
    key: merchant.testKey,
    body: { query: `mutation { ${mutation} }` },
  });
  expect(body.errors[0].extensions).toEqual({ code: 'invalid_request', param });
});

it.each([
  ['($a: TokenAmount)', 'createRefund(input: {paymentId: "x", amount: $a}) { id }', 'amount'],
  [
    '($a: TokenAmount)',
    'updateSettings(input: {sponsoredLamportsPerDay: $a}) { __typename }',
    'sponsoredLamportsPerDay',
  ],
])('a variable without a value is no amount: %s %s', async (variables, mutation, param) => {
  const ask = async (given: object) => {
    const body = { query: `mutation ${variables} { ${mutation} }`, variables: given };
    return (await world.request('POST', '/graphql', { key: merchant.testKey, body })).body.errors?.[0];
  };
  expect(await ask({})).toMatchObject({
    message: expect.stringContaining('the variable $a has no value'),
    extensions: { code: 'invalid_request', param },
  });
  expect((await ask({ a: null })).extensions).toEqual({ code: 'invalid_request', param });
  expect((await ask({ a: '1' }))?.extensions.param).not.toBe(param);
});

it('every amount that may be left out is refused as null', async () => {
  const optional = rootFields('Query', 'Mutation', 'Subscription').flatMap((root) =>
    argumentsOf(root)
      .filter(({ type }) => !isNonNullType(type) && getNamedType(type).name === 'TokenAmount')
      .map(({ path }) => `${root.field.name}.${path}`),
  );
  expect(optional).toEqual([
    'createDiscount.input.amount',
    'createPlan.input.maxAmount',
    'createRefund.input.amount',
    'updateSettings.input.sponsoredLamportsPerDay',
  ]);
});

const nonsense = 'xx';
/** A selection that makes a list read its rows. */
const ROWS: Readonly<Record<string, string>> = { subscriptions: 'data { id }', metrics: 'days { day }' };
const ADDRESS = '11111111111111111111111111111112';

it.each([
  ['subscriptions', 'filter: {walletAddress: "xx"}', 'filter.walletAddress', /Solana address/],
  ['subscriptions', 'filter: {planId: ""}', 'filter.planId', /1 to 128 characters/],
  ['subscriptions', 'filter: {customer: " "}', 'filter.customer', /1 to 255 characters/],
  ['subscriptions', `filter: {search: "${'x'.repeat(256)}"}`, 'filter.search', /1 to 255 characters/],
  [
    'subscriptions',
    'filter: {from: "2026-12-02T00:00:00Z", to: "2026-12-01T00:00:00Z"}',
    'filter.to',
    /later than from/,
  ],
  ['subscriptionsConnection', 'filter: {walletAddress: "xx"}', 'filter.walletAddress', /Solana address/],
  ['payments', 'subscriptionId: "xx"', 'subscriptionId', /address .* or its lifeId/],
  ['payments', 'planId: ""', 'planId', /1 to 128 characters/],
  ['events', 'subscriptionId: "xx"', 'subscriptionId', /address .* or its lifeId/],
  ['events', 'type: "xx"', 'type', /subscription\.created/],
  ['webhookDeliveries', 'subscriptionId: "xx"', 'subscriptionId', /address .* or its lifeId/],
  ['webhookDeliveries', 'endpointId: "xx"', 'endpointId', /UUID/],
  ['webhookDeliveries', 'eventId: "xx"', 'eventId', /UUID/],
  ['webhookDeliveries', 'eventType: "xx"', 'eventType', /subscription\.created/],
  ['payments', 'filter: {subscriptionId: "xx"}', 'filter.subscriptionId', /address .* or its lifeId/],
  ['payments', 'filter: {planId: ""}', 'filter.planId', /1 to 128 characters/],
  ['events', 'filter: {subscriptionId: "xx"}', 'filter.subscriptionId', /address .* or its lifeId/],
  ['events', 'filter: {type: "xx"}', 'filter.type', /subscription\.created/],
  [
    'webhookDeliveries',
    'filter: {subscriptionId: "xx"}',
    'filter.subscriptionId',
    /address .* or its lifeId/,
  ],
  ['webhookDeliveries', 'filter: {endpointId: "xx"}', 'filter.endpointId', /UUID/],
  ['webhookDeliveries', 'filter: {eventId: "xx"}', 'filter.eventId', /UUID/],
  ['webhookDeliveries', 'filter: {eventType: "xx"}', 'filter.eventType', /subscription\.created/],
  ['receipts', 'filter: {customer: " "}', 'filter.customer', /1 to 255 characters/],
  ['receipts', 'filter: {customer: "42"}, first: 101', 'first', /100/],
  ['payments', 'filter: {planId: "a"}, planId: "a"', 'filter.planId', /only in filter/],
  ['events', 'filter: {type: "xx"}, from: "2026-12-02T00:00:00Z"', 'filter.type', /subscription\.created/],
  ['customers', `search: "${'x'.repeat(256)}"`, 'search', /255 characters/],
  ['metrics', 'from: "xx", to: "2026-12-01"', 'from', /2026-12-01|day/],
])('%s with %s is refused', async (field, argumentText, param, message) => {
  const { body } = await world.request('POST', '/graphql', {
    key: merchant.testKey,
    body: { query: `{ ${field}(${argumentText}) { ${ROWS[field] ?? 'edges { cursor }'} } }` },
  });
  expect(body.errors).toHaveLength(1);
  expect(body.errors[0].extensions).toEqual({ code: 'invalid_request', param });
  expect(body.errors[0].message).toMatch(message);
});

it.each([
  ['payments', 'subscriptionId'],
  ['events', 'subscriptionId'],
  ['subscriptions', 'walletAddress'],
])('the export of %s refuses an invalid %s, and is empty for an unknown one', async (kind, name) => {
  const ask = (value: string) =>
    world.request('GET', `/api/exports/${kind}.csv?${name}=${value}`, { key: merchant.testKey });
  const refused = await ask(nonsense);
  expect({ status: refused.status, ...refused.body.error }).toMatchObject({
    status: 400,
    code: 'invalid_request',
    param: name,
  });
  expect((await ask(ADDRESS)).status).toBe(200);
});
