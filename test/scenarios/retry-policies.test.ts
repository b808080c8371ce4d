import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const updatePlan = (planId: string, input: object) =>
  world.graphql<{ updatePlan: { retryPolicy: string } }>(
    `mutation ($planId: String!, $input: UpdatePlanInput!) {
      updatePlan(planId: $planId, input: $input) { retryPolicy }
    }`,
    { planId, input },
  );

async function planWith(input: object, interval?: number): Promise<string> {
  const planId = await world.plan(interval === undefined ? {} : { interval });
  await updatePlan(planId, input);
  return planId;
}

/** A customer of the merchant with the money for `payments` payments. */
async function subscribe(customerId: string, planId: string, payments = 1): Promise<Subscriber> {
  const { createCheckoutSession } = await world.graphql<{ createCheckoutSession: { id: string } }>(
    `mutation ($input: CreateCheckoutSessionInput!) { createCheckoutSession(input: $input) { id } }`,
    { input: { planId, customerEmail: `${customerId}@example.com`, customerId } },
  );
  const customer = await world.subscriber(planId, { sessionId: createCheckoutSession.id, payments });
  await world.quiet();
  return customer;
}

interface State {
  readonly hasAccess: boolean;
  readonly validUntil: string | null;
  readonly subscriptions: readonly { status: string; reason: string; until: string | null }[];
}

async function stateOf(customerId: string): Promise<State> {
  const { customerState } = await world.graphql<{ customerState: State }>(
    `query ($id: String!) {
      customerState(customerId: $id) { hasAccess validUntil subscriptions { status reason until } }
    }`,
    { id: customerId },
  );
  return customerState;
}

const rowOf = ({ id: address }: Subscriber) =>
  world.ctx.db.subscription.findFirstOrThrow({ where: { address } });

const failuresOf = ({ id }: Subscriber) =>
  world
    .webhooks(id)
    .filter(({ event }) => event === 'subscription.payment_failed')
    .map(({ data }) => data);

const statusesOf = async ({ id }: Subscriber) => (await world.books(id)).map(({ status }) => status);

/** Tops up the wallet, and travels until the top-up is seen and the payment is collected. */
async function topUp({ setBalance, state }: Subscriber, amount: bigint): Promise<void> {
  await setBalance(amount);
  await world.until('the payment has recovered', async () => {
    await world.travel(65);
    return (await state()).state === 'active';
  });
}

/** Lets all retries of the payment that is due fail. */
async function failAllRetries(): Promise<void> {
  await world.travel(DAY);
  await world.travel(60);
  await world.travel(300);
}

describe('with the policy DAYS', () => {
  it('a payment is retried for nine days, then the subscription expires', async () => {
    const customer = await subscribe('days-1', await planWith({ retryPolicy: 'DAYS' }, 30 * DAY));
    await world.travel(30 * DAY);
    for (const hours of [1, 6, 24, 72, 120]) {
      expect(await customer.state()).toMatchObject({ state: 'past_due' });
      // Shortly before its time, nothing is tried.
      await world.travel(hours * HOUR - 60);
      const before = failuresOf(customer).length;
      await world.travel(60);
      expect(failuresOf(customer)).toHaveLength(before + 1);
    }
    expect(await customer.state()).toMatchObject({ state: 'expired', failureCount: 6 });
    expect(world.receivedEvents(customer.id).at(-1)).toBe('expired');
    expect(await statusesOf(customer)).toEqual(['SUCCEEDED', 'FAILED']);
  });

  it('a top-up between two retries is collected at once, and once', async () => {
    const customer = await subscribe('days-2', await planWith({ retryPolicy: 'DAYS' }, 30 * DAY));
    await world.travel(30 * DAY);
    await world.travel(HOUR);
    await topUp(customer, 5n * PRICE);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.travel(10 * DAY);
    expect(await statusesOf(customer)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(4n * PRICE);
  });

  it('a plan that is too short for it is refused, and stays as it is', async () => {
    const planId = await world.plan({ interval: 7 * DAY });
    await expect(updatePlan(planId, { retryPolicy: 'DAYS' })).rejects.toThrow(
      'retryPolicy DAYS needs 224 hours from a due date to the end of the plan',
    );
    expect((await updatePlan(planId, { retryPolicy: 'UNTIL_PAID' })).updatePlan).toEqual({
      retryPolicy: 'UNTIL_PAID',
    });
  });
});

describe('with the policy UNTIL_PAID', () => {
  it('after its last failure a payment waits for a top-up; access ends with grace', async () => {
    const planId = await planWith({ retryPolicy: 'UNTIL_PAID', graceSeconds: 6 * HOUR });
    const customer = await subscribe('unpaid-1', planId);
    const { mrr } = await rowOf(customer);
    await failAllRetries();
    expect(await customer.state()).toMatchObject({ state: 'past_due', failureCount: 3 });
    const [, due] = await world.books(customer.id);
    const dueAt = due?.dueAt.getTime() ?? 0;
    expect(failuresOf(customer).at(-1)).toMatchObject({
      noRetryReason: 'UNTIL_PAID',
      nextAttemptDate: new Date(dueAt + DAY * 1000).toISOString(),
    });
    const until = new Date(dueAt + 6 * HOUR * 1000).toISOString();
    expect(await stateOf('unpaid-1')).toEqual({
      hasAccess: true,
      validUntil: until,
      subscriptions: [{ status: 'PAST_DUE', reason: 'GRACE', until }],
    });
    await world.travel(6 * HOUR);
    const over = { hasAccess: false, subscriptions: [{ status: 'PAST_DUE', reason: 'UNPAID', until: null }] };
    expect(await stateOf('unpaid-1')).toMatchObject(over);
    expect(Number((await rowOf(customer)).mrr)).toBe(0);
    expect(failuresOf(customer)).toHaveLength(3);
    expect(world.receivedEvents(customer.id)).not.toContain('expired');

    await topUp(customer, 5n * PRICE);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    expect(await stateOf('unpaid-1')).toEqual({
      hasAccess: true,
      validUntil: null,
      subscriptions: [{ status: 'ACTIVE', reason: 'ACTIVE', until: null }],
    });
    expect(await statusesOf(customer)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(4n * PRICE);
    expect((await rowOf(customer)).mrr).toEqual(mrr);
    await world.travel(DAY);
    expect(await statusesOf(customer)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(3n * PRICE);
  });

  it('later payments are tried once and missed, and a top-up pays only the running one', async () => {
    const customer = await subscribe('unpaid-2', await planWith({ retryPolicy: 'UNTIL_PAID' }));
    await failAllRetries();
    const over = { hasAccess: false, subscriptions: [{ reason: 'UNPAID' }] };
    expect(await stateOf('unpaid-2')).toMatchObject(over);
    await world.travel(DAY);
    await world.travel(DAY);
    await world.until('the periods that are over are decided', async () =>
      isDeepStrictEqual(await statusesOf(customer), ['SUCCEEDED', 'MISSED', 'MISSED', 'DUE']),
    );
    expect(await stateOf('unpaid-2')).toMatchObject(over);
    expect(await customer.state()).toMatchObject({ state: 'past_due', failureCount: 5 });
    expect(failuresOf(customer).map(({ noRetryReason }) => noRetryReason)).toEqual([
      ...[null, null, 'UNTIL_PAID', 'UNTIL_PAID', 'UNTIL_PAID'],
    ]);
    await topUp(customer, 9n * PRICE);
    expect(await statusesOf(customer)).toEqual(['SUCCEEDED', 'MISSED', 'MISSED', 'SUCCEEDED']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(8n * PRICE);
    expect(await stateOf('unpaid-2')).toMatchObject({ hasAccess: true });
    expect(world.receivedEvents(customer.id)).not.toContain('payment_missed');
  });

  it('the merchant waives the payment, and the customer has access again', async () => {
    const customer = await subscribe('unpaid-3', await planWith({ retryPolicy: 'UNTIL_PAID' }));
    await failAllRetries();
    await world.graphql(`mutation ($id: ID!) { waivePayment(subscription: $id) { status } }`, {
      id: customer.id,
    });
    expect(await stateOf('unpaid-3')).toMatchObject({
      hasAccess: true,
      subscriptions: [{ status: 'ACTIVE', reason: 'ACTIVE', until: null }],
    });
    expect((await rowOf(customer)).accessUntil).toBeNull();
  });

  it.each([
    ['', 'unpaid-4', 'UNTIL_PAID'],
    [', under another policy too', 'unpaid-4b', 'DAYS'],
  ])('a customer who cancels on chain meanwhile gets no access%s', async (_, customerId, retryPolicy) => {
    const planId = await planWith({ retryPolicy: 'UNTIL_PAID' }, 30 * DAY);
    const customer = await subscribe(customerId, planId);
    await world.travel(29 * DAY);
    await failAllRetries();
    await updatePlan(planId, { retryPolicy });
    await customer.cancel();
    await world.until('the cancellation is seen', async () => (await customer.state()).state === 'cancelled');
    const over = { hasAccess: false, subscriptions: [{ status: 'CANCELLED', reason: 'CANCELLED' }] };
    expect(await stateOf(customerId)).toMatchObject(over);
    // Another look at the chain does not change that.
    await world.stopIndexer();
    await world.startIndexer();
    await world.quiet();
    expect(await stateOf(customerId)).toMatchObject(over);
    expect(Number((await rowOf(customer)).mrr)).toBe(0);
  });

  it('cancelled at the end of its period it ends at once, and keeps its grace', async () => {
    const planId = await planWith({ retryPolicy: 'UNTIL_PAID', graceSeconds: 6 * HOUR });
    const customer = await subscribe('unpaid-6', planId);
    await failAllRetries();
    const until = (await rowOf(customer)).accessUntil?.toISOString() ?? '';
    await world.graphql(
      `mutation ($id: ID!) { cancelSubscription(subscription: $id, when: PERIOD_END) { transaction } }`,
      { id: customer.id },
    );
    expect(await customer.state()).toMatchObject({ state: 'cancelled' });
    expect(await stateOf('unpaid-6')).toEqual({
      hasAccess: true,
      validUntil: until,
      subscriptions: [{ status: 'CANCELLED', reason: 'CANCELLED', until }],
    });
    await world.quiet();
    const cancelled = world.webhooks(customer.id).at(-1);
    expect(cancelled).toMatchObject({ event: 'subscription.cancelled', data: { accessUntil: until } });
    await customer.setBalance(5n * PRICE);
    await world.travel(DAY);
    expect(await statusesOf(customer)).toEqual(['SUCCEEDED', 'FAILED']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(5n * PRICE);
  });

  it('after the period of a payment nothing is collected until the next one is due', async () => {
    const planId = await world.plan({ trial: 6 * HOUR });
    await updatePlan(planId, { retryPolicy: 'UNTIL_PAID' });
    const customer = await subscribe('unpaid-7', planId, 0);
    await world.travel(6 * HOUR);
    await world.travel(60);
    await world.travel(300);
    await world.travel(18 * HOUR);
    await customer.setBalance(5n * PRICE);
    await world.travel(65);
    const over = { hasAccess: false, subscriptions: [{ status: 'PAST_DUE', reason: 'UNPAID' }] };
    expect(await stateOf('unpaid-7')).toMatchObject(over);
    const { id } = customer;
    await expect(
      world.graphql(`mutation ($id: ID!) { retryPayment(subscription: $id) { status } }`, { id }),
    ).rejects.toThrow('No payment is open: the next one is due at');
    await world.graphql(`mutation ($id: ID!) { waivePayment(subscription: $id) { status } }`, { id });
    const paid = { hasAccess: true, subscriptions: [{ status: 'ACTIVE', reason: 'ACTIVE', until: null }] };
    expect(await stateOf('unpaid-7')).toMatchObject(paid);
    expect(await statusesOf(customer)).toEqual(['WAIVED']);
    await world.travel(6 * HOUR);
    expect(await statusesOf(customer)).toEqual(['WAIVED', 'SUCCEEDED']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(4n * PRICE);
  });

  it('with another policy the subscription expires at its next failure, without access', async () => {
    const planId = await planWith({ retryPolicy: 'UNTIL_PAID', graceSeconds: HOUR });
    await subscribe('unpaid-5', planId);
    await failAllRetries();
    await world.travel(HOUR);
    await updatePlan(planId, { retryPolicy: 'QUICK' });
    await world.travel(DAY - HOUR);
    expect(await stateOf('unpaid-5')).toMatchObject({
      hasAccess: false,
      subscriptions: [{ status: 'EXPIRED', reason: 'EXPIRED' }],
    });
  });
});
