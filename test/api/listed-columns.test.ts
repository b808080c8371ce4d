import { type GraphQLObjectType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { schema } from '../../src/api/graphql/schema.ts';
import { ITEM_ROWS } from '../../src/api/rest/subscription-item.ts';
import {
  ALL_ROWS,
  isColumn,
  listedRows,
  MAX_COLUMN_SETS,
  readSubscriptionPage,
} from '../../src/domain/billing/read/read-subscriptions.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { seedSubscriptions } from './seed.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const { scope } = merchant;
await seedSubscriptions(world.db, scope, 8, scope.merchantId);
const rows = await world.db.subscription.findMany({ where: { ...scope }, orderBy: { createdAt: 'asc' } });
const day = (number: number) => new Date(Date.UTC(2026, 10, number));
// Every status with and without a pause, a waiver, an end and a cancellation.
for (const [index, { id }] of rows.entries()) {
  if (index < 4) continue;
  const waived = { waivedFrom: day(1), waivedUntil: day(9), pausedFrom: day(3), pausedUntil: day(8) };
  const ends = { accessUntil: day(20), cancelledAt: day(6), cancelAtPeriodEnd: index === 6 };
  const data = { ...waived, ...ends, pauseKeepsAccess: true, nextAmount: 5n, trialGranted: true };
  await world.db.subscription.update({ where: { id }, data });
}
await world.db.plan.updateMany({
  where: { ...scope },
  data: { endsAt: day(5), description: 'All', graceSeconds: 5 },
});
await world.db.customer.updateMany({
  where: { ...scope },
  data: { billingName: 'Ada', billingAddress: 'Here', taxId: '1' },
});

/** A field of a type as a document selects it: an object with its leaves. */
function selection(type: GraphQLObjectType, name: string): string {
  const fieldType = getNamedType(type.getFields()[name]?.type);
  if (!isObjectType(fieldType)) return name;
  const leaves = Object.values(fieldType.getFields()).filter(
    ({ type, args }) => args.length === 0 && isLeafType(getNamedType(type)),
  );
  return `${name} { __typename ${leaves.map((leaf) => leaf.name).join(' ')} }`;
}

/** They read the books of a subscription, which seeded rows do not have. */
const OF_BOOKS = ['upcomingPayment', 'limitLeft'];
const typeNamed = (name: string) => schema.getType(name) as GraphQLObjectType;
const FIELDS = (
  [
    ['BillingSubscription', ''],
    ['Customer', 'customer'],
    ['Plan', 'plan'],
  ] as const
).flatMap(([type, below]) =>
  Object.keys(typeNamed(type).getFields()).flatMap((name) => {
    const selected = selection(typeNamed(type), name);
    if (OF_BOOKS.includes(name)) return [];
    return [
      below ? ([`${below}.${name}`, `${below} { ${selected} }`] as const) : ([name, selected] as const),
    ];
  }),
);

async function ask(query: string): Promise<Record<string, { data: unknown[] } & unknown>> {
  const { body } = await world.request('POST', '/graphql', { key: merchant.testKey, body: { query } });
  expect(body).not.toHaveProperty('errors');
  return (body as { data: Record<string, { data: unknown[] }> }).data;
}

it.each(FIELDS)('a list that shows only %s has what each subscription has', async (_, field) => {
  const { subscriptions, subscriptionsConnection, ...alone } = await ask(`{
    subscriptions { data { ${field} } }
    subscriptionsConnection { edges { node { ${field} } } }
    ${rows.map(({ id }, index) => `row${index}: subscription(id: "${id}") { ${field} }`).join('\n')}
  }`);
  const each = rows.map((_, index) => alone[`row${index}`]).toReversed();
  expect(subscriptions?.data).toEqual(each);
  expect(subscriptionsConnection).toEqual({ edges: each.map((node) => ({ node })) });
});

it('a list reads the columns of all parts of the document that select fields', async () => {
  const query = `
    query { subscriptions { ...Page data { id } } }
    fragment Page on SubscriptionPage { data { ... on BillingSubscription { status } ...Item plan { planId } } }
    fragment Item on BillingSubscription { paymentCount plan { amount } customer { email } }`;
  const { subscriptions } = await ask(query);
  expect(subscriptions?.data[0]).toEqual({
    id: rows.at(-1)?.address,
    status: rows.at(-1)?.status,
    paymentCount: 7,
    plan: { planId: 'seeded', amount: '9007199254740993' },
    customer: { email: 'customer-7@example.com' },
  });
});

it('a page by REST reads only the columns that it shows', () => {
  expect(ITEM_ROWS.countedPage.text).toContain('s."metadata"');
  expect(ITEM_ROWS.countedPage.text).not.toContain('s."mrr"');
});

it('a list reads the columns of all its parts that variables include', async () => {
  const query = `query($all: Boolean!) {
    subscriptions { data { id } }
    subscriptions @include(if: $all) { data { metadata } }
  }`;
  const show = async (all: boolean) => {
    const body = { query, variables: { all } };
    const answer = await world.request('POST', '/graphql', { key: merchant.testKey, body });
    return (answer.body as { data: { subscriptions: { data: unknown[] } } }).data.subscriptions.data[0];
  };
  const id = rows.at(-1)?.address;
  expect(await show(false)).toEqual({ id });
  expect(await show(true)).toEqual({ id, metadata: { number: 7 } });
  expect(await show(false)).toEqual({ id });
});

it('lists with more different columns than are prepared read all columns', async () => {
  const names = Object.keys(rows[0] ?? {}).filter((name) => isColumn('subscription', name));
  const sets = Array.from({ length: MAX_COLUMN_SETS + 1 }, (_, number) =>
    listedRows({
      subscription: names.filter((_, at) => (number >> at) % 2 === 1) as 'status'[],
      customer: [],
      plan: [],
    }),
  );
  expect(sets.at(-1)).toBe(ALL_ROWS);
  const { data } = await readSubscriptionPage(world.db, scope, { skip: 0, take: 1 }, ALL_ROWS);
  expect(data[0]).toMatchObject({ id: rows.at(-1)?.id, metadata: { number: 7 } });
});
