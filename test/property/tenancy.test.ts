import { getNamedType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/domain/merchant/create-api-key.ts';
import { seedPayments } from '../api/seed.ts';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from '../api/world.ts';
import { argumentsOf, documentFor, type RootField, rootFields } from './operations.ts';

/** Is in every row of merchant A that anybody could be shown. */
const MARK = 'tenant-a';

/** What is theirs, by the name that arguments refer to it with. */
interface Theirs {
  readonly [name: string]: string;
}

/** An argument that names rows, and which of A's rows it is tried with. */
const of = (name: keyof Theirs & string) => ({ of: name });
/** An argument that is a word of the caller's own, and names no row. */
const WORD = 'word';

/**
 * Every argument that is text or an id. What is added to the schema fails here until it is listed: does it name rows, and
 * whose?
 */
const ARGUMENTS: Record<string, typeof WORD | { of: string }> = {
  'Query.apiKeys.after': of('apiKeyCursor'),
  'Query.apiKeys.before': of('apiKeyCursor'),
  'Query.auditLog.action': WORD,
  'Query.auditLog.actorId': of('apiKey'),
  'Query.auditLog.after': of('auditCursor'),
  'Query.auditLog.before': of('auditCursor'),
  'Query.auditLog.targetId': of('apiKey'),
  'Query.checkoutSession.id': of('session'),
  'Query.customer.id': of('customer'),
  'Query.customers.after': of('customerCursor'),
  'Query.customers.before': of('customerCursor'),
  'Query.customers.search': of('email'),
  'Query.events.after': of('eventCursor'),
  'Query.events.before': of('eventCursor'),
  'Query.events.subscriptionId': of('subscription'),
  'Query.events.type': WORD,
  'Query.members.after': of('memberCursor'),
  'Query.members.before': of('memberCursor'),
  'Query.metrics.from': WORD,
  'Query.metrics.planId': of('plan'),
  'Query.metrics.to': WORD,
  'Query.payments.after': of('paymentCursor'),
  'Query.payments.before': of('paymentCursor'),
  'Query.payments.planId': of('plan'),
  'Query.payments.subscriptionId': of('subscription'),
  'Query.plan.planId': of('plan'),
  'Query.plans.after': of('planCursor'),
  'Query.plans.before': of('planCursor'),
  'Query.subscription.id': of('subscription'),
  'Query.subscriptions.filter.customer': of('email'),
  'Query.subscriptions.filter.planId': of('plan'),
  'Query.subscriptions.filter.search': of('email'),
  'Query.subscriptions.filter.walletAddress': of('wallet'),
  'Query.subscriptionsConnection.after': of('subscriptionCursor'),
  'Query.subscriptionsConnection.before': of('subscriptionCursor'),
  'Query.subscriptionsConnection.filter.customer': of('email'),
  'Query.subscriptionsConnection.filter.planId': of('plan'),
  'Query.subscriptionsConnection.filter.search': of('email'),
  'Query.subscriptionsConnection.filter.walletAddress': of('wallet'),
  'Query.webhookDeliveries.after': of('deliveryCursor'),
  'Query.webhookDeliveries.before': of('deliveryCursor'),
  'Query.webhookDeliveries.endpointId': of('endpoint'),
  'Query.webhookDeliveries.eventId': of('event'),
  'Query.webhookDeliveries.eventType': WORD,
  'Query.webhookDeliveries.subscriptionId': of('subscription'),
  'Query.webhookDelivery.id': of('delivery'),
  'Query.webhookEndpoint.id': of('endpoint'),
  'Query.webhookEndpoints.after': of('endpointCursor'),
  'Query.webhookEndpoints.before': of('endpointCursor'),
  'Mutation.cancelSubscription.subscription': of('subscription'),
  'Mutation.changeMemberRole.id': of('member'),
  'Mutation.chooseMerchant.merchantId': of('merchant'),
  // The id of a session is the permission to complete it: what it opens is the customer's own.
  'Mutation.completeCheckout.sessionId': WORD,
  'Mutation.completeCheckout.signature': WORD,
  'Mutation.completeCheckout.subscriptionPda': WORD,
  'Mutation.completeCheckout.userWallet': WORD,
  'Mutation.createApiKey.name': WORD,
  'Mutation.createCheckoutSession.input.cancelUrl': WORD,
  'Mutation.createCheckoutSession.input.customerEmail': WORD,
  'Mutation.createCheckoutSession.input.customerId': WORD,
  'Mutation.createCheckoutSession.input.idempotencyKey': of('idempotencyKey'),
  'Mutation.createCheckoutSession.input.merchantWallet': of('merchantWallet'),
  'Mutation.createCheckoutSession.input.planId': of('plan'),
  'Mutation.createCheckoutSession.input.successUrl': WORD,
  'Mutation.createPlan.input.description': WORD,
  'Mutation.createPlan.input.mint': WORD,
  'Mutation.createPlan.input.name': WORD,
  'Mutation.createPlan.input.planId': WORD,
  'Mutation.createWebhookEndpoint.eventTypes': WORD,
  'Mutation.createWebhookEndpoint.url': WORD,
  'Mutation.deleteWebhookEndpoint.id': of('endpoint'),
  'Mutation.inviteMember.walletAddress': WORD,
  'Mutation.publishPlanTransaction.planId': of('plan'),
  'Mutation.removeMember.id': of('member'),
  'Mutation.replayWebhooks.input.endpointId': of('endpoint'),
  'Mutation.replayWebhooks.input.eventTypes': WORD,
  'Mutation.resendEvent.eventId': of('event'),
  'Mutation.resendWebhook.deliveryId': of('delivery'),
  'Mutation.revokeApiKey.id': of('apiKey'),
  'Mutation.rotateApiKey.id': of('apiKey'),
  'Mutation.rotateWebhookSecret.id': of('endpoint'),
  'Mutation.sendTestWebhook.endpointId': of('endpoint'),
  'Mutation.sendTestWebhook.type': WORD,
  'Mutation.signIn.output.address': WORD,
  'Mutation.signIn.output.signature': WORD,
  'Mutation.signIn.output.signedMessage': WORD,
  'Mutation.signInInput.address': WORD,
  'Mutation.sunsetPlanTransaction.planId': of('plan'),
  'Mutation.triggerEvent.subscriptionId': of('subscription'),
  'Mutation.triggerEvent.type': WORD,
  'Mutation.updateMerchantProfile.input.companyName': WORD,
  'Mutation.updateMerchantProfile.input.logoUrl': WORD,
  'Mutation.updateMerchantProfile.input.supportEmail': WORD,
  'Mutation.updateSettings.input.redirectUrlsAllowed': WORD,
  'Mutation.updateWebhookEndpoint.id': of('endpoint'),
  'Mutation.updateWebhookEndpoint.input.eventTypes': WORD,
  'Mutation.updateWebhookEndpoint.input.url': WORD,
  'Subscription.checkoutSessionUpdated.id': of('session'),
  'Subscription.events.after': of('eventsCursor'),
  'Subscription.events.types': WORD,
  'Subscription.subscriptionUpdated.id': of('subscription'),
  // Chooses among the messages of the caller's own scope, and waits for one.
  'Subscription.webhookDeliveryUpdated.endpointId': WORD,
};

/** The same for what REST takes in its paths and queries; `body` properties are those of GraphQL's inputs. */
const PARAMETERS: Record<string, typeof WORD | { of: string }> = {
  'get /api/checkout/{sessionId} sessionId': of('session'),
  'get /api/exports/customers.csv from': WORD,
  'get /api/exports/customers.csv search': of('email'),
  'get /api/exports/customers.csv to': WORD,
  'get /api/exports/events.csv from': WORD,
  'get /api/exports/events.csv subscriptionId': of('subscription'),
  'get /api/exports/events.csv to': WORD,
  'get /api/exports/events.csv type': WORD,
  'get /api/exports/payments.csv from': WORD,
  'get /api/exports/payments.csv planId': of('plan'),
  'get /api/exports/payments.csv status': WORD,
  'get /api/exports/payments.csv subscriptionId': of('subscription'),
  'get /api/exports/payments.csv to': WORD,
  'get /api/exports/subscriptions.csv customer': of('email'),
  'get /api/exports/subscriptions.csv from': WORD,
  'get /api/exports/subscriptions.csv planId': of('plan'),
  'get /api/exports/subscriptions.csv status': WORD,
  'get /api/exports/subscriptions.csv to': WORD,
  'get /api/exports/subscriptions.csv walletAddress': of('wallet'),
  'get /api/subscriptions page': WORD,
  'get /api/subscriptions limit': WORD,
  // For customers, who have no key: the id is the permission.
  'get /checkout/{sessionId} sessionId': WORD,
  // Open to whoever knows the id: the customer's page and app, and the readers of a plan's account on chain.
  'get /plans/{file} file': WORD,
  'post /api/checkout/{sessionId}/complete sessionId': WORD,
  'post /checkout/create Idempotency-Key': WORD,
  'post /api/checkout/{sessionId}/transaction sessionId': WORD,
  // An address on chain: what its wallet has to sign is for whoever holds the wallet.
  'post /api/subscriptions/{subscriptionId}/transaction subscriptionId': WORD,
};

let world: ApiWorld;
let a: KeyedMerchant;
let b: KeyedMerchant;
let theirs: Theirs;

beforeAll(async () => {
  world = await startApiWorld();
  a = await world.keyedMerchant();
  b = await world.keyedMerchant();
  await world.db.merchant.update({ where: { id: a.merchant.id }, data: { companyName: MARK } });
  theirs = await seed();
});
afterAll(() => world.close());

/** Of everything that A can have, one. */
async function seed(): Promise<Theirs> {
  const { db, ctx } = world;
  const email = `${MARK}@example.com`;
  const plan = await world.publishPlan(a, { planId: `${MARK}-plan`, name: MARK });
  const wallet = await world.newWallet();
  const request = { customerEmail: email, customerId: MARK, metadata: { of: MARK } };
  const subscription = await world.subscribe(a, plan, wallet, request);
  await seedPayments(db, a.scope, subscription.address);
  const session = await world.openSession(a, plan, { ...request, idempotencyKey: MARK });
  const { key } = await createApiKey(ctx, a.scope, { name: MARK });
  const endpoint = { url: `https://${MARK}.example/hook`, encryptedSecret: Buffer.from('x') };
  const { id: endpointId } = await db.webhookEndpoint.create({ data: { ...a.scope, ...endpoint } });
  const event = await db.event.findFirstOrThrow({ where: { subscriptionId: subscription.id } });
  const delivery = await db.delivery.create({
    data: {
      ...a.scope,
      endpointId,
      eventId: event.id,
      subscriptionId: subscription.id,
      sequence: event.sequence,
      status: 'SUCCEEDED',
      createdAt: ctx.clock.now(),
    },
  });
  const member = await db.member.findFirstOrThrow({ where: { merchantId: a.merchant.id } });
  const { eventsCursor } = (await ask(a.testKey, '{ eventsCursor }')).data as { eventsCursor: string };
  return {
    merchant: a.merchant.id,
    merchantWallet: a.merchant.walletAddress,
    plan: plan.planId,
    subscription: subscription.address,
    wallet: wallet.address,
    customer: subscription.customerId,
    email,
    session,
    idempotencyKey: MARK,
    apiKey: key.id,
    endpoint: endpointId,
    event: event.id,
    delivery: delivery.id,
    member: member.id,
    eventsCursor,
    ...(await cursors()),
  };
}

/** The first cursor of each of A's lists. */
async function cursors(): Promise<Theirs> {
  const lists = {
    apiKeyCursor: 'apiKeys',
    auditCursor: 'auditLog',
    customerCursor: 'customers',
    deliveryCursor: 'webhookDeliveries',
    eventCursor: 'events',
    memberCursor: 'members',
    paymentCursor: 'payments',
    planCursor: 'plans',
    subscriptionCursor: 'subscriptionsConnection',
    endpointCursor: 'webhookEndpoints',
  };
  const found = await Promise.all(
    Object.entries(lists).map(async ([name, list]) => {
      const { data } = await ask(a.testKey, `{ ${list}(first: 1) { edges { cursor } } }`);
      const [edge] = (data as Record<string, { edges: { cursor: string }[] }> | null)?.[list]?.edges ?? [];
      // A list that no key opens has none to be had: any row's will do.
      return [name, edge?.cursor ?? 'R1BDOlM6MDE5MGI3YzQtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAw'] as const;
    }),
  );
  return Object.fromEntries(found);
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(key: string, query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  if (!query.startsWith('subscription')) {
    return (await world.request('POST', '/graphql', { key, body: { query, variables } })).body;
  }
  const first = await world.socket(key).iterate({ query, variables }).next();
  return first.value as Answer;
}

const named = (each: RootField) => `${each.root}.${each.field.name}`;
const fields = rootFields('Query', 'Mutation', 'Subscription');

it('every argument that could name a row is listed, and nothing else', () => {
  const texts = fields.flatMap((each) =>
    argumentsOf(each)
      .filter(({ type }) => ['ID', 'String'].includes(getNamedType(type).name))
      .map(({ path }) => `${named(each)}.${path}`),
  );
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(texts.toSorted());
});

it('every parameter of a path or query is listed, and nothing else', async () => {
  const { body } = await world.request('GET', '/openapi.json');
  const found = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { parameters?: { name: string }[] }>).flatMap(
      ([method, { parameters }]) => (parameters ?? []).map(({ name }) => `${method} ${path} ${name}`),
    ),
  );
  expect(Object.keys(PARAMETERS).toSorted()).toEqual(found.toSorted());
});

/** Variables for a field: that argument, and whatever else it insists on. */
function variablesFor({ field }: RootField, path: string, value: string): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const arg of field.args) if (isRequiredArgument(arg)) variables[arg.name] = filler(String(arg.type));
  const [head = '', tail] = path.split('.');
  const list = /^\[/.test(String(field.args.find(({ name }) => name === head)?.type));
  variables[head] =
    tail === undefined ? (list ? [value] : value) : { ...(variables[head] as object), [tail]: value };
  return variables;
}

function filler(type: string): unknown {
  switch (type.replace('!', '')) {
    case 'CreateCheckoutSessionInput':
      return { planId: 'own', customerEmail: 'b@example.com' };
    case 'ReplayWebhooksInput':
      return { endpointId: 'x', from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
    case 'UpdateWebhookEndpointInput':
      return { maxPerSecond: 1 };
    case 'CancelWhen':
      return 'NOW';
    case 'MemberRole':
      return 'OWNER';
    case 'DateTime':
      return '2027-01-01T00:00:00.000Z';
    default:
      return 'x';
  }
}

/** All that A has, in one text. */
async function stateOfA(): Promise<string> {
  const { db } = world;
  const where = { merchantId: a.merchant.id };
  const rows = await Promise.all([
    db.plan.findMany({ where, orderBy: { id: 'asc' } }),
    db.subscription.findMany({ where, orderBy: { id: 'asc' } }),
    db.checkoutSession.findMany({ where, orderBy: { id: 'asc' } }),
    db.webhookEndpoint.findMany({ where, orderBy: { id: 'asc' } }),
    db.delivery.findMany({ where, orderBy: { id: 'asc' } }),
    db.member.findMany({ where, orderBy: { id: 'asc' } }),
    db.apiKey.findMany({ where, orderBy: { id: 'asc' }, omit: { lastUsedAt: true } }),
  ]);
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

const references = fields.flatMap((each) =>
  argumentsOf(each).flatMap(({ path }): [string, RootField, string, string][] => {
    const listed = ARGUMENTS[`${named(each)}.${path}`];
    return typeof listed === 'object' ? [[`${named(each)}.${path}`, each, path, listed.of]] : [];
  }),
);

describe('what is A’s', () => {
  it.each(references)('is nothing to others: %s', async (_, each, path, name) => {
    const value = theirs[name];
    if (value === undefined) throw new Error(`A has no ${name}`);
    const document = documentFor(each);
    const before = await stateOfA();
    for (const key of [b.testKey, b.liveKey, a.liveKey]) {
      const answer = await ask(key, document, variablesFor(each, path, value));
      const { data, errors = [] } = answer;
      // A's own key opens A's own name, which belongs to no environment.
      const shown = JSON.stringify(data ?? null).replaceAll(`"companyName":"${MARK}"`, '');
      expect(shown).not.toContain(MARK);
      expect(shown).not.toContain(theirs.subscription);
      for (const { extensions } of errors) {
        expect(['not_found', 'invalid_request', 'authentication_error']).toContain(extensions.code);
      }
    }
    expect(await stateOfA()).toBe(before);
  });

  it('is shown to A by the same names, so that the others were not refused for a slip of ours', async () => {
    for (const [label, each, path, name] of references) {
      if (each.root !== 'Query' || path === 'after' || path === 'before' || label.startsWith('Query.metrics'))
        continue;
      if (label.startsWith('Query.auditLog')) continue;
      const { data } = await ask(a.testKey, documentFor(each), variablesFor(each, path, theirs[name] ?? ''));
      const text = JSON.stringify(data);
      expect({ label, shown: text.includes(MARK) || text.includes('"edges":[{') }).toEqual({
        label,
        shown: true,
      });
    }
  });

  it.each(
    Object.entries(PARAMETERS).flatMap(([parameter, listed]): [string, string][] =>
      typeof listed === 'object' ? [[parameter, listed.of]] : [],
    ),
  )('is nothing to others over REST: %s', async (parameter, name) => {
    const [method = '', path = '', param = ''] = parameter.split(' ');
    const value = encodeURIComponent(theirs[name] ?? '');
    const target = path.includes(`{${param}}`)
      ? path.replace(`{${param}}`, value)
      : `${path}?${param}=${value}`;
    for (const key of [b.testKey, b.liveKey, a.liveKey]) {
      const { status, body } = await world.request(method.toUpperCase(), target, { key });
      expect([200, 404]).toContain(status);
      expect(JSON.stringify(body)).not.toContain(MARK);
      expect(JSON.stringify(body)).not.toContain(theirs.subscription);
    }
    const own = await world.request(method.toUpperCase(), target, { key: a.testKey });
    expect({
      status: own.status,
      isShown:
        JSON.stringify(own.body).includes(theirs.subscription ?? '') ||
        JSON.stringify(own.body).includes(MARK),
    }).toEqual({ status: 200, isShown: true });
  });
});
