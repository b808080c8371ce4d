/**
 * "What the service does", "Subscription" states and "Events" of the contract, with all roles and a
 * real network.
 */
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../client/verify-webhook.ts';
import { DAY, PRICE, type Subscriber, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const world = await sharedByFile(startWorld());
const planId = await world.plan();

interface Body {
  readonly event: string;
  readonly timestamp: number;
  readonly data: Readonly<Record<string, unknown>>;
}

function bodies({ id }: Subscriber, event: string): Body[] {
  return (world.webhooks(id) as unknown as Body[]).filter((body) => body.event === event);
}

async function readOverRest({ id }: Subscriber) {
  const answer = await fetch(`${world.apiUrl}/api/subscriptions?limit=100`, {
    headers: { authorization: `Bearer ${world.apiKey}` },
  });
  const { data } = (await answer.json()) as { data: { subscriptionId: string; state: string }[] };
  return data.find(({ subscriptionId }) => subscriptionId === id);
}

async function readOverGraphql({ id }: Subscriber) {
  const { subscription } = await world.graphql<{ subscription: { status: string } }>(
    'query ($id: ID!) { subscription(id: $id) { status } }',
    { id },
  );
  return subscription.status.toLowerCase();
}

/** Cancels on chain with the wallet, and waits until dues has seen the cancellation. */
async function cancel(customer: Subscriber): Promise<void> {
  await customer.cancel();
  await world.until(
    'the subscription is cancelled',
    async () => (await customer.state()).state === 'cancelled',
  );
  await world.quiet();
}

async function expectState(customer: Subscriber, state: string): Promise<void> {
  expect(await readOverRest(customer)).toMatchObject({ state });
  expect(await readOverGraphql(customer)).toBe(state);
}

describe('What the service does', () => {
  // 6. "The user confirms and approves a blockchain transaction. It creates a subscription
  // account (a program-derived address)" … 9. "redirected to the merchant's successUrl with
  // the query parameter session_id"
  it('6. to 9. a customer subscribes', async () => {
    const created = await fetch(`${world.apiUrl}/checkout/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        planId,
        customerEmail: 'flow@example.com',
        customerId: 'user-1',
        successUrl: 'https://shop.example/done',
        metadata: { source: 'contract', nested: [1, null] },
      }),
    });
    const { sessionId } = (await created.json()) as { sessionId: string };
    const { subscriber, approve, complete } = await world.checkout(planId, { sessionId });
    await complete(await approve());
    await world.quiet();
    const session = await fetch(`${world.apiUrl}/api/checkout/${sessionId}`);
    expect(await session.json()).toMatchObject({
      status: 'completed',
      subscriptionId: subscriber.id,
      redirectUrl: `https://shop.example/done?session_id=${sessionId}`,
    });
    // 8. "The service sends the webhook subscription.created to the merchant."
    const [createdEvent] = bodies(subscriber, 'subscription.created');
    expect(createdEvent?.data).toEqual({
      sessionId,
      subscriptionId: subscriber.id,
      startedAt: expect.stringMatching(ISO),
      customer: {
        email: 'flow@example.com',
        customerId: 'user-1',
        walletAddress: subscriber.wallet.address,
      },
      plan: { planId, planName: planId, amount: String(PRICE), interval: String(DAY) },
      metadata: { source: 'contract', nested: [1, null] },
    });
    // "Metadata … is included in all webhooks for that session's subscription"
    await subscriber.setBalance(0n);
    await world.travel(DAY);
    await cancel(subscriber);
    expect(world.receivedEvents(subscriber.id)).toEqual([
      'created',
      'payment_succeeded',
      'payment_failed',
      'cancelled',
    ]);
    for (const { data } of world.webhooks(subscriber.id)) {
      expect(data.metadata).toEqual({ source: 'contract', nested: [1, null] });
    }
  });

  // 10. "At each billing interval the service's scheduler detects due payments and executes an
  // on-chain transfer from the user's subscription wallet to the merchant wallet."
  it('10. payments are collected at each interval', async () => {
    const customer = await world.subscriber(planId);
    await world.quiet();
    const [payerBefore, merchantBefore] = [
      await world.tokensOf(customer.wallet.address),
      await world.tokensOf(world.merchantWallet.address),
    ];
    await world.travel(DAY);
    expect(await world.tokensOf(customer.wallet.address)).toBe(payerBefore - PRICE);
    expect((await world.tokensOf(world.merchantWallet.address)) - merchantBefore).toBeGreaterThanOrEqual(
      PRICE,
    );
  });
});

describe('States and transitions', () => {
  // (none) → active: "Checkout completion", webhook subscription.created; active → active:
  // "Scheduled payment succeeds", with paymentNumber and nextPaymentDate
  it('a checkout and its payments keep a subscription active', async () => {
    const customer = await world.subscriber(planId);
    await world.quiet();
    await expectState(customer, 'active');
    await world.travel(DAY);
    await expectState(customer, 'active');
    expect(bodies(customer, 'subscription.created')).toHaveLength(1);
    const paid = bodies(customer, 'subscription.payment_succeeded').map(({ data }) => data);
    expect(paid.map(({ paymentNumber }) => paymentNumber)).toEqual([1, 2]);
    const [first, second] = paid.map(({ nextPaymentDate }) => Date.parse(String(nextPaymentDate)));
    expect(Number(second) - Number(first)).toBe(DAY * 1000);
  });

  // active → past_due: "Insufficient balance"; "The service retries automatically after 1
  // minute, 5 minutes"; past_due → expired: "Failure count reaches 3"
  it('an unpaid subscription is past due, and expires after three failures', async () => {
    const customer = await world.subscriber(planId, { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    await expectState(customer, 'past_due');
    for (const [failures, wait] of [
      [1, 60],
      [2, 300],
    ] as const) {
      await world.travel(wait - 10);
      expect(await customer.state()).toEqual({ state: 'past_due', failureCount: failures });
      await world.travel(10);
      expect((await customer.state()).failureCount).toBe(failures + 1);
    }
    await expectState(customer, 'expired');
    const failed = bodies(customer, 'subscription.payment_failed');
    expect(failed.map(({ data }) => data.failureCount)).toEqual([1, 2, 3]);
    // "The subscription becomes inactive."
    await customer.setBalance(100n * PRICE);
    await world.travel(2 * DAY);
    await expectState(customer, 'expired');
    expect(bodies(customer, 'subscription.payment_succeeded')).toHaveLength(1);
  });

  // past_due → active, "after a successful retry"
  it('a successful retry makes a subscription active again', async () => {
    const customer = await world.subscriber(planId, { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    await expectState(customer, 'past_due');
    await customer.setBalance(PRICE);
    await world.travel(60);
    await expectState(customer, 'active');
    expect((await customer.state()).failureCount).toBe(0);
  });

  it.each(['active', 'past_due'])(
    '%s → cancelled: "User cancels the subscription", "Event emitted"',
    async (from) => {
      const customer = await world.subscriber(planId, { payments: from === 'active' ? 9 : 1 });
      await world.quiet();
      if (from === 'past_due') await world.travel(DAY);
      await expectState(customer, from);
      await cancel(customer);
      await expectState(customer, 'cancelled');
      expect(bodies(customer, 'subscription.cancelled')).toHaveLength(1);
    },
  );
});

describe('Events', () => {
  // "Each carries event (string) and data (object)", "timestamp (integer, milliseconds since
  // the Unix epoch)", and the fields of the table
  it('an event has a name, data and a time', async () => {
    const customer = await world.subscriber(planId, { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    const walletAddress = customer.wallet.address;
    const known = { subscriptionId: customer.id, customer: expect.objectContaining({ walletAddress }) };
    const [paid] = bodies(customer, 'subscription.payment_succeeded');
    expect(paid?.data).toMatchObject({
      ...known,
      userWallet: walletAddress,
      amount: String(PRICE),
      paymentNumber: 1,
      nextPaymentDate: expect.stringMatching(ISO),
    });
    const [failed] = bodies(customer, 'subscription.payment_failed');
    expect(failed?.data).toMatchObject({
      ...known,
      amountRequired: String(PRICE),
      balanceAvailable: '0',
      failureCount: 1,
    });
    for (const { event, data, timestamp } of world.webhooks(customer.id) as unknown as Body[]) {
      expect({ event, data }).toEqual({ event: expect.any(String), data: expect.any(Object) });
      expect(Number.isInteger(timestamp) && timestamp > 1e12).toBe(true);
    }
  });

  it('also have the payment, its plan and customer, the failure and the next attempt', async () => {
    const customer = await world.subscriber(planId, { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    await world.travel(60);
    await world.travel(300);
    const [paidPayment, failedPayment] = await world.books(customer.id);
    const [paid] = bodies(customer, 'subscription.payment_succeeded');
    expect(paid?.data).toMatchObject({
      planId,
      paymentId: paidPayment?.id,
      signature: paidPayment?.signature,
      customer: { customerId: null },
    });
    const failed = bodies(customer, 'subscription.payment_failed').map(({ data }) => data);
    for (const data of failed) {
      expect(data).toMatchObject({
        planId,
        paymentId: failedPayment?.id,
        failureCode: 'INSUFFICIENT_FUNDS',
        customer: { customerId: null },
      });
    }
    expect(failed.map(({ nextAttemptDate }) => nextAttemptDate)).toEqual([
      expect.stringMatching(ISO),
      expect.stringMatching(ISO),
      null,
    ]);
  });

  // "The signature arrives in the request header x-webhook-signature. The receiver must verify
  // it"
  it('a webhook is signed', async () => {
    const { createWebhookEndpoint } = await world.graphql<{ createWebhookEndpoint: { secret: string } }>(
      'mutation ($url: String!) { createWebhookEndpoint(url: $url) { secret } }',
      { url: `${world.receiver.url}/signed` },
    );
    await world.subscriber(planId);
    await world.quiet();
    const signed = world.receiver.received.find(({ url }) => url === '/hook/signed');
    const { 'x-webhook-signature': signature } = signed?.headers ?? {};
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    const now = 1000 * Number(/t=(\d+)/.exec(String(signature))?.[1]);
    const { secret } = createWebhookEndpoint;
    const headers = { 'x-webhook-signature': String(signature) };
    expect(verifyWebhook(signed?.body ?? '', headers, secret, { now })).toMatchObject({
      event: 'subscription.created',
    });
  });
});
