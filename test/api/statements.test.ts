import { expect, it } from 'vitest';
import { recordStatements, type Statement } from '../../tools/statements.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { seedPayments } from './seed.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);
const subscription = await world.subscribe(merchant, plan, await world.newWallet(), { customerId: '42' });
await seedPayments(world.db, merchant.scope, subscription.address);
const key = merchant.testKey;

const graphql = (query: string) => () => world.request('POST', '/graphql', { key, body: { query } });
const get = (path: string) => () => world.request('GET', path, { key });
const post = (path: string, body: object) => () => world.request('POST', path, { key, body });

/** The name of a prepared statement, without its columns and run; of others the verb and the first table. */
function nameOf({ name, text }: Statement): string {
  if (name) return name.replace(/(\/\w+)?\.\d+$/, '');
  const [, table] = /(?:FROM|INTO|UPDATE|JOIN)\s+(?:"public"\.)?"(\w+)"/.exec(text) ?? [];
  const [verb] = /^\s*(INSERT|UPDATE|DELETE)/.exec(text) ?? ['read'];
  return `${verb.trim().toLowerCase()} ${table}`;
}

/** Statements of a new connection (`src/db/timeline.ts`), and of the timer that stores when keys were used. */
const isOfNoRequest = ({ text }: Statement) => /pg_control_system|UPDATE "ApiKey"/.test(text);

const CALLER = ['api-keys.find', 'rate.take'];

let customers = 0;
/** Another email address each time, because a repeated request finds its checkout. */
const customerEmail = () => `customer-${customers++}@example.com`;

const REQUESTS: readonly (readonly [
  request: string,
  send: () => Promise<{ readonly status: number; readonly body: unknown }>,
  statements: readonly string[],
])[] = [
  [
    'a page of subscriptions with their plans and customers',
    graphql('{ subscriptions { data { id plan { name } customer { email } } pagination { total } } }'),
    ['subscription.counted-page'],
  ],
  [
    'a page of subscriptions by cursor',
    graphql('{ subscriptionsConnection(first: 5) { edges { node { id plan { name } } } } }'),
    ['subscription.page'],
  ],
  ['a page of subscriptions by REST', get('/api/subscriptions'), ['subscription.counted-page']],
  [
    'a subscription with plan and customer',
    graphql(`{ subscription(id: "${subscription.address}") { id plan { name } customer { email } } }`),
    ['read Subscription', 'read Plan', 'read Customer'],
  ],
  [
    'the payments of a subscription',
    graphql(
      `{ subscription(id: "${subscription.address}") { payments(first: 5) { edges { node { id status } } } } }`,
    ),
    ['read Subscription', 'read Payment'],
  ],
  ['a plan', graphql('{ plan(planId: "pro") { name amount } }'), ['read Plan']],
  ['a state', graphql('{ customerState(customerId: "42") { hasAccess version } }'), ['customer-states.read']],
  ['a state by REST', get('/api/customers/42/state'), ['customer-states.read']],
  [
    'several states',
    graphql('{ customerStates(customerIds: ["42", "43", "44"]) { hasAccess } }'),
    ['customer-states.read'],
  ],
  ['a page of receipts by REST', get('/api/receipts'), ['read Receipt', 'read Payment', 'read Refund']],
  [
    'a new checkout',
    () =>
      graphql(
        `mutation { createCheckoutSession(input: { planId: "pro", customerEmail: "${customerEmail()}" }) { id url expiresAt } }`,
      )(),
    ['rate.take', 'checkout.find-plans', 'checkout.open'],
  ],
  [
    'a new checkout by REST',
    () => post('/checkout/create', { planId: 'pro', customerEmail: customerEmail() })(),
    ['checkout.find-plans', 'checkout.open'],
  ],
];

// A statement more in one of these is felt by every merchant.
it.each(REQUESTS)('%s takes these statements', async (_, send, expected) => {
  // The first request records what is missing.
  await send();
  const statements = await recordStatements(async () => {
    const { status, body } = await send();
    expect({ status, body }).toEqual({
      status: 200,
      body: expect.not.objectContaining({ errors: expect.anything() }),
    });
  });
  const names = statements.filter((statement) => !isOfNoRequest(statement)).map(nameOf);
  expect(names).toEqual([...CALLER, ...expected]);
});
