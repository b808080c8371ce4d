/**
 * "Checkout session", "POST /checkout/create", "Retrieving a session" and "Idempotency rules" of
 * the contract.
 */
import { describe, expect, it } from 'vitest';
import { DEFAULT_APP } from '../../src/config/customer-app.ts';
import { COMPLETE, CREATE_CHECKOUT_SESSION, PUBLIC_CHECKOUT_SESSION } from '../api/documents.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
await world.publishPlan(merchant);

const order = { planId: 'pro', customerEmail: 'ada@example.com' };

const create = (body: object, key = merchant.testKey) =>
  world.request('POST', '/checkout/create', { key, body });
const createInGraphql = async (input: typeof order & { idempotencyKey?: string }, key = merchant.testKey) =>
  (await world.query(key, CREATE_CHECKOUT_SESSION, { input })).createCheckoutSession;

describe('POST /checkout/create', () => {
  // "Response 200 (JSON): sessionId (string), url (string), expiresAt (string, ISO 8601 UTC)";
  // url "of the form {checkout_url}/<session_id>"
  it('the answer has the id, the URL and the end of the session', async () => {
    const { status, headers, body } = await create({ ...order, customerEmail: 'first@example.com' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(body).toEqual({
      sessionId: expect.stringMatching(/^cs_[\w-]{43}$/),
      url: `https://dues.example/checkout/${body.sessionId}`,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const session = await createInGraphql({ ...order, customerEmail: 'first@example.com' });
    expect(session).toMatchObject({ id: body.sessionId, url: body.url, expiresAt: body.expiresAt });
  });

  // "Its lifetime (TTL) is 30 minutes."
  it('a session lives for 30 minutes', async () => {
    const { body } = await create({ ...order, customerEmail: 'ttl@example.com' });
    const { createdAt } = await world.db.checkoutSession.findUniqueOrThrow({ where: { id: body.sessionId } });
    expect(Date.parse(body.expiresAt) - createdAt.getTime()).toBe(30 * 60_000);
  });

  it('accepts every field of the table, of which customerId is optional', async () => {
    const request = {
      ...order,
      merchantWallet: merchant.wallet.address,
      customerId: 'user-1',
      successUrl: 'https://shop.example/done',
      cancelUrl: 'https://shop.example/back',
      metadata: { campaign: 'autumn', nested: { list: [1, null, true] } },
      idempotency_key: 'whole',
    };
    const { body: created } = await create(request);
    const { body } = await world.request('GET', `/api/checkout/${created.sessionId}`, {
      key: merchant.testKey,
    });
    expect(body).toMatchObject({
      customer: { email: 'ada@example.com', customerId: 'user-1' },
      successUrl: request.successUrl,
      cancelUrl: request.cancelUrl,
      metadata: request.metadata,
    });
    const { customerId: _, ...withoutCustomerId } = request;
    expect((await create({ ...withoutCustomerId, idempotency_key: 'without' })).status).toBe(200);
  });

  // "when the plan does not exist or is inactive, the error body has code invalid_request with
  // param set to planId"
  it('a plan that does not exist or is inactive is refused', async () => {
    const ended = await world.publishPlan(merchant, { planId: 'ended' });
    await world.db.plan.update({ where: { id: ended.id }, data: { status: 'INACTIVE' } });
    for (const planId of ['nothing', 'ended']) {
      const { status, body } = await create({ ...order, planId });
      expect({ status, ...body.error }).toMatchObject({
        status: 400,
        code: 'invalid_request',
        param: 'planId',
      });
      expect(await graphqlError(createInGraphql({ ...order, planId }))).toMatchObject({
        code: 'invalid_request',
        param: 'planId',
      });
    }
  });
});

describe('Idempotency rules', () => {
  // 2. "The same request sent more than once returns the same session while the session has
  // not expired." 3. "The merchant includes idempotency_key in the request body to ensure
  // this."
  it('2. and 3. the same request returns the same session', async () => {
    const request = { ...order, metadata: { campaign: 'autumn' }, idempotency_key: 'order-1' };
    const { body: first } = await create(request);
    expect((await create(request)).body).toEqual(first);
    expect((await create({ ...request, idempotency_key: 'order-2' })).body.sessionId).not.toBe(
      first.sessionId,
    );
    const inGraphql = await createInGraphql({ ...order, idempotencyKey: 'order-3' });
    expect((await create({ ...order, idempotency_key: 'order-3' })).body.sessionId).toBe(inGraphql.id);
  });
});

describe('Retrieving a session', () => {
  // "The merchant can fetch a session to check its status (value completed) together with
  // plan.planName and customer.email."
  it('the merchant fetches a completed session', async () => {
    const { body: created } = await create({ ...order, customerEmail: 'done@example.com' });
    const { sessionId } = created;
    const plan = await world.db.plan.findFirstOrThrow({ where: { planId: 'pro' } });
    const approved = await world.approve(sessionId, plan, await world.newWallet());
    const completed = await world.request('POST', `/api/checkout/${sessionId}/complete`, { body: approved });
    expect(completed.status).toBe(200);
    const expected = {
      status: 'completed',
      plan: { planName: 'Pro' },
      customer: { email: 'done@example.com' },
    };
    for (const key of [merchant.testKey, undefined]) {
      const { body } = await world.request('GET', `/api/checkout/${sessionId}`, key ? { key } : {});
      expect(body).toMatchObject(expected);
    }
    const { checkoutSession } = await world.query(undefined, PUBLIC_CHECKOUT_SESSION, { id: sessionId });
    expect(checkoutSession).toMatchObject({ status: 'COMPLETED', plan: { name: 'Pro' } });
  });
});

describe('The hosted checkout page', () => {
  // 2. "shows the merchant's company name and logo (from the merchant profile), the plan
  // details and price, and the customer's email address, with a call to action to continue";
  // 3. "<app_scheme>://subscribe?sessionId=<session_id>"
  it('2. and 3. the page shows merchant, plan and customer, and opens the app', async () => {
    Object.assign(world.ctx.config, { customerApp: DEFAULT_APP });
    const seller = await world.newKeyedMerchant();
    await world.db.merchant.update({
      where: { id: seller.merchant.id },
      data: { logoUrl: 'https://shop.example/logo.svg' },
    });
    const plan = await world.publishPlan(seller, { description: 'All of it' });
    const sessionId = await world.openSession(seller, plan);
    const { body } = await world.request('GET', `/checkout/${sessionId}`);
    for (const text of [
      ...['Acme', 'src="https://shop.example/logo.svg"', 'Pro', 'All of it'],
      '<strong>5.00 USDC</strong> every day',
      ...['ada@example.com', `href="dues://subscribe?sessionId=${sessionId}"`],
    ]) {
      expect(body).toContain(text);
    }
  });
});

describe('The app', () => {
  // 4. "loads the session and displays the merchant name, plan details, customer email and
  // current wallet balance"; 5. "typically 3 months of subscription fees as a buffer"
  it('4. and 5. the app shows the session and the recommended balance', async () => {
    const { body: created } = await create({ ...order, customerEmail: 'app@example.com' });
    const { body: session } = await world.request('GET', `/api/checkout/${created.sessionId}`);
    expect(session).toMatchObject({
      merchant: { companyName: 'Acme' },
      plan: { planName: 'Pro', amount: '5000000', interval: '86400' },
      customer: { email: 'app@example.com' },
    });
    for (const [tokens, sufficient] of [
      [14_999_999n, false],
      [15_000_000n, true],
    ] as const) {
      const wallet = await world.newWallet(tokens);
      const { body } = await world.request('POST', `/api/checkout/${created.sessionId}/transaction`, {
        body: { userWallet: wallet.address },
      });
      expect(body.balance).toMatchObject({ amount: String(tokens), recommended: '15000000', sufficient });
    }
  });

  // an expired session is session_expired: "After that it is expired and the error code
  // session_expired applies."
  it('an expired session is refused', async () => {
    const { body: created } = await create({ ...order, customerEmail: 'late@example.com' });
    const { sessionId } = created;
    await world.travel(30 * 60);
    const { address } = await world.newWallet();
    const presented = { subscriptionPda: address, userWallet: address, signature: 'x' };
    const { status, body } = await world.request('POST', `/api/checkout/${sessionId}/complete`, {
      body: presented,
    });
    expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'session_expired' });
    expect(await graphqlError(world.query(undefined, COMPLETE, { sessionId, ...presented }))).toMatchObject({
      code: 'session_expired',
    });
    // "while the session has not expired": the same request now opens another session.
    const again = await create({ ...order, customerEmail: 'late@example.com' });
    expect(again.body.sessionId).not.toBe(sessionId);
  });
});
