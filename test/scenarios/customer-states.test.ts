import { describe, expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const STATE = `customerId hasAccess version validUntil features { key limit }
  subscriptions { subscriptionId planId status hasAccess until reason }`;

interface State {
  readonly customerId: string;
  readonly hasAccess: boolean;
  readonly version: number;
  readonly validUntil: string | null;
  readonly features: readonly { key: string; limit: number | null }[];
  readonly subscriptions: readonly {
    subscriptionId: string;
    status: string;
    reason: string;
    until: string | null;
  }[];
}

async function stateOf(customerId: string): Promise<State> {
  const { customerState } = await world.graphql<{ customerState: State }>(
    `query ($id: String!) { customerState(customerId: $id) { ${STATE} } }`,
    { id: customerId },
  );
  return customerState;
}

function get(customerId: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${world.apiUrl}/api/customers/${customerId}/state`, {
    headers: { authorization: `Bearer ${world.apiKey}`, ...headers },
  });
}

/** Subscribes a new wallet to a plan for a customer of the merchant. */
async function subscribe(
  customerId: string,
  planId: string,
  payments = 100,
  wallet?: Subscriber['wallet'],
): Promise<Subscriber> {
  const { createCheckoutSession } = await world.graphql<{ createCheckoutSession: { id: string } }>(
    `mutation ($input: CreateCheckoutSessionInput!) { createCheckoutSession(input: $input) { id } }`,
    { input: { planId, customerEmail: `${customerId}@example.com`, customerId } },
  );
  return world.subscriber(planId, {
    sessionId: createCheckoutSession.id,
    payments,
    ...(wallet && { wallet }),
  });
}

const updatePlan = (planId: string, input: object) =>
  world.graphql(
    'mutation ($planId: String!, $input: UpdatePlanInput!) { updatePlan(planId: $planId, input: $input) { planId } }',
    {
      planId,
      input,
    },
  );

/** The versions in the webhooks about a customer, in the order of their arrival. */
const versionsOf = (customerId: string) =>
  world.receiver.received
    .map(({ body }) => JSON.parse(body))
    .filter(({ event, data }) => event === 'customer.state_changed' && data.customerId === customerId)
    .map(({ data }) => data.version);

describe('the state of a customer', () => {
  it('is stored for nobody before the first subscription: no access, version 0', async () => {
    expect(await stateOf('nobody')).toMatchObject({
      hasAccess: false,
      version: 0,
      features: [],
      subscriptions: [],
    });
    expect(await world.ctx.db.customerState.count({ where: { customerId: 'nobody' } })).toBe(0);
  });

  it('gives access from the checkout on, and renewals change nothing of it', async () => {
    const { id } = await subscribe('user-1', await world.plan());
    await world.quiet();
    const first = await stateOf('user-1');
    expect(first).toMatchObject({
      hasAccess: true,
      version: 1,
      validUntil: null,
      subscriptions: [{ subscriptionId: id, status: 'ACTIVE', reason: 'ACTIVE', until: null }],
    });
    await world.travel(DAY);
    await world.travel(DAY);
    expect((await world.books(id)).map(({ status }) => status)).toEqual(Array(3).fill('SUCCEEDED'));
    expect(await stateOf('user-1')).toEqual(first);
    expect(versionsOf('user-1')).toEqual([1]);
  });

  it('joins all subscriptions of one id of the merchant, and the highest limit counts', async () => {
    const [basic, team] = [await world.plan(), await world.plan()];
    await updatePlan(basic, { features: [{ key: 'seats', limit: 2 }, { key: 'export' }] });
    await updatePlan(team, { features: [{ key: 'seats', limit: 9 }] });
    const first = await subscribe('user-2', basic);
    await subscribe('user-2', team);
    await world.quiet();
    expect(await stateOf('user-2')).toMatchObject({
      version: 2,
      features: [
        { key: 'export', limit: null },
        { key: 'seats', limit: 9 },
      ],
    });
    await first.cancel();
    await world.travel(DAY);
    const after = await stateOf('user-2');
    expect(after).toMatchObject({ hasAccess: true, features: [{ key: 'seats', limit: 9 }] });
    expect(versionsOf('user-2')).toEqual(Array.from({ length: after.version }, (_, index) => index + 1));
  });

  it('gets a feature that is added to the plan of running subscribers at once', async () => {
    const planId = await world.plan();
    await subscribe('user-3', planId);
    await world.quiet();
    const preview = await world.graphql(
      `query ($planId: String!) { previewFeatures(planId: $planId, features: [{ key: "api" }]) { added removed changed subscriptionCount } }`,
      { planId },
    );
    expect(preview).toEqual({
      previewFeatures: { added: ['api'], removed: [], changed: [], subscriptionCount: 1 },
    });
    await updatePlan(planId, { features: [{ key: 'api' }] });
    expect(await stateOf('user-3')).toMatchObject({ version: 2, features: [{ key: 'api', limit: null }] });
    await world.quiet();
    expect(versionsOf('user-3')).toEqual([1, 2]);
  });

  it('ends at the end of the paid time by time alone, exactly then', async () => {
    const customer = await subscribe('user-4', await world.plan());
    await world.quiet();
    await customer.cancel();
    await world.until('the cancellation is seen', async () => (await customer.state()).state === 'cancelled');
    const cancelled = await stateOf('user-4');
    expect(cancelled).toMatchObject({
      hasAccess: true,
      subscriptions: [{ status: 'CANCELLED', reason: 'CANCELLED' }],
    });
    expect(cancelled.validUntil).toBe(cancelled.subscriptions[0]?.until);
    await world.jump(DAY);
    expect(await stateOf('user-4')).toMatchObject({
      hasAccess: false,
      validUntil: null,
      version: cancelled.version + 1,
    });
    await world.quiet();
    expect(versionsOf('user-4')).toEqual([1, 2, 3]);
  });

  it('moves to the customer with whom the wallet comes back', async () => {
    const planId = await world.plan();
    const { wallet, cancel, state } = await subscribe('user-10', planId);
    await world.quiet();
    await cancel();
    await world.until('the cancellation is seen', async () => (await state()).state === 'cancelled');
    await subscribe('user-11', planId, 100, wallet);
    await world.quiet();
    expect(await stateOf('user-10')).toMatchObject({ hasAccess: false, subscriptions: [] });
    expect(await stateOf('user-11')).toMatchObject({ hasAccess: true, version: 1 });
    expect(versionsOf('user-10').at(-1)).toBe((await stateOf('user-10')).version);
  });

  it('has no access during a pause, and has it again when the pause ends', async () => {
    const { id } = await subscribe('user-9', await world.plan());
    await world.quiet();
    await world.graphql(
      'mutation ($id: ID!) { pauseSubscription(subscription: $id, periods: 1, keepsAccess: false) { status } }',
      { id },
    );
    const ahead = await stateOf('user-9');
    expect(ahead).toMatchObject({ hasAccess: true, version: 2, subscriptions: [{ reason: 'ACTIVE' }] });
    expect(ahead.validUntil).toBe(ahead.subscriptions[0]?.until);
    await world.travel(DAY);
    const paused = await stateOf('user-9');
    expect(paused).toMatchObject({ hasAccess: false, version: 3, subscriptions: [{ reason: 'PAUSED' }] });
    await world.travel(DAY);
    expect(await stateOf('user-9')).toMatchObject({ hasAccess: true, version: 4, validUntil: null });
    expect((await world.books(id)).map(({ status }) => status)).toEqual(['SUCCEEDED', 'WAIVED', 'SUCCEEDED']);
    expect(versionsOf('user-9')).toEqual([1, 2, 3, 4]);
  });

  it('keeps access while a payment is retried, then for the grace of the plan', async () => {
    const planId = await world.plan();
    await updatePlan(planId, { graceSeconds: 6 * 3_600 });
    const customer = await subscribe('user-5', planId, 1);
    await world.quiet();
    await world.travel(DAY);
    expect(await stateOf('user-5')).toMatchObject({
      hasAccess: true,
      subscriptions: [{ reason: 'PAST_DUE' }],
    });
    await world.travel(60);
    await world.travel(300);
    expect(await customer.state()).toMatchObject({ state: 'expired' });
    const grace = await stateOf('user-5');
    expect(grace).toMatchObject({ hasAccess: true, subscriptions: [{ status: 'EXPIRED', reason: 'GRACE' }] });
    const due = (await world.books(customer.id)).at(-1)?.dueAt.getTime() ?? 0;
    expect(Date.parse(grace.validUntil ?? '') - due).toBe(6 * 3_600_000);
    await world.travel(6 * 3_600);
    expect(await stateOf('user-5')).toMatchObject({
      hasAccess: false,
      subscriptions: [{ reason: 'EXPIRED' }],
    });
  });
});

describe('a backend that reads states', () => {
  it('gets 304 while the version is the same', async () => {
    const customer = await subscribe('user-6', await world.plan());
    await world.quiet();
    const answer = await get('user-6');
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60');
    expect(await answer.json()).toMatchObject({
      customerId: 'user-6',
      hasAccess: true,
      version: 1,
      features: {},
    });
    const again = await get('user-6', { 'if-none-match': '"1"' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await customer.cancel();
    await world.until('the cancellation is seen', async () => (await customer.state()).state === 'cancelled');
    expect((await get('user-6', { 'if-none-match': '"1"' })).status).toBe(200);
    expect((await get('nobody')).status).toBe(200);
  });

  it('catches up with a cursor: each changed customer once, as it is now', async () => {
    const planId = await world.plan();
    await subscribe('user-7', planId);
    await world.quiet();
    // A change is in the pages once no older transaction of the server is open.
    let page = await changed(null);
    await world.until('the new customer is in the changes', async () => {
      page = await changed(null);
      return page.states.some(({ customerId, version }) => customerId === 'user-7' && version === 1);
    });
    expect(page.hasMore).toBe(false);
    expect(await changed(page.cursor)).toMatchObject({ states: [], hasMore: false, cursor: page.cursor });
    await updatePlan(planId, { features: [{ key: 'api' }] });
    await subscribe('user-8', planId);
    await world.quiet();
    let next = await changed(page.cursor);
    await world.until('both changes are in the pages', async () => {
      next = await changed(page.cursor);
      return next.states.length >= 2;
    });
    expect(next.states.map(({ customerId, version }) => [customerId, version])).toEqual([
      ['user-7', 2],
      ['user-8', 1],
    ]);
    await expect(changed('bm90IGEgY3Vyc29y')).rejects.toThrow('cursor must be the unchanged cursor');
  });

  it('is told the number and the bound of bad input, which changes nothing', async () => {
    const planId = await world.plan();
    const features = Array.from({ length: 51 }, (_, index) => ({ key: `f${index}` }));
    await expect(updatePlan(planId, { features })).rejects.toThrow(
      'features are 51, and must be at most 50.',
    );
    await expect(updatePlan(planId, { features: [{ key: 'a' }, { key: 'a' }] })).rejects.toThrow(
      'given twice',
    );
    await expect(updatePlan(planId, { features: [{ key: 'a', limit: 1.5 }] })).rejects.toThrow(
      'limit of a is 1.5',
    );
    await expect(updatePlan(planId, { graceSeconds: -1 })).rejects.toThrow('graceSeconds is -1');
    expect(await world.ctx.db.planFeature.count({ where: { plan: { planId } } })).toBe(0);
    const customerIds = Array.from({ length: 101 }, String);
    await expect(
      world.graphql('query ($ids: [String!]!) { customerStates(customerIds: $ids) { version } }', {
        ids: customerIds,
      }),
    ).rejects.toThrow('customerIds are 101, and must be at most 100.');
  });
});

interface Changes {
  readonly states: readonly State[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

async function changed(cursor: string | null): Promise<Changes> {
  const { customerStatesChangedSince } = await world.graphql<{ customerStatesChangedSince: Changes }>(
    `query ($cursor: String) { customerStatesChangedSince(cursor: $cursor) { states { ${STATE} } cursor hasMore } }`,
    { cursor },
  );
  return customerStatesChangedSince;
}
