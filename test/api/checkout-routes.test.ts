import { generateKeyPairSigner } from '@solana/kit';
import { expect, it } from 'vitest';
import { fundedWallet } from '../../tools/world/wallet.ts';
import { PRICE } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);

const order = { planId: 'pro', customerEmail: 'ada@example.com' };

function create(body: unknown, key = merchant.testKey) {
  return world.request('POST', '/checkout/create', { key, body });
}

it('POST /checkout/create accepts null for optional fields', async () => {
  const nulls = {
    customerId: null,
    successUrl: null,
    cancelUrl: null,
    metadata: null,
    idempotency_key: null,
  };
  expect(await create({ ...order, ...nulls })).toMatchObject({ status: 200 });
});

it.each([
  ['planId', {}],
  ['planId', { ...order, planId: 7 }],
  ['customerEmail', { planId: 'pro' }],
  ['successUrl', { ...order, successUrl: 'javascript:alert(1)' }],
  ['metadata', { ...order, metadata: [1] }],
  ['metadata', { ...order, metadata: JSON.parse('{"nested":{"__proto__":{"x":1}}}') }],
  ['idempotency_key', { ...order, idempotency_key: '' }],
  ['body', [order]],
  ['body', 'null'],
])('POST /checkout/create reports %s as the wrong parameter of %j', async (param, body) => {
  const { status, body: answer } = await create(body);
  expect({ status, ...answer.error }).toMatchObject({ status: 400, code: 'invalid_request', param });
});

it('a checkout is created, approved and completed', async () => {
  const wallet = await world.newWallet(1_000_000n);
  const { body: session } = await create({
    ...order,
    customerEmail: 'whole@example.com',
    customerId: 'user-2',
    successUrl: 'https://shop.example/done?x=1',
    metadata: { campaign: 'autumn' },
  });
  const path = `/api/checkout/${session.sessionId}`;

  const prepared = await world.request('POST', `${path}/transaction`, {
    body: { userWallet: wallet.address },
  });
  expect(prepared).toMatchObject({
    status: 200,
    body: {
      subscriptionPda: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
      transactions: [expect.stringMatching(/^[A-Za-z0-9+/]+=*$/)],
      more: false,
      balance: {
        amount: '1000000',
        recommended: '15000000',
        sufficient: false,
        lamports: expect.stringMatching(/^\d+$/),
      },
    },
  });

  const approved = await world.approve(session.sessionId, plan, wallet);
  expect(prepared.body.subscriptionPda).toBe(approved.subscriptionPda);
  const completed = await world.request('POST', `${path}/complete`, { body: approved });
  expect(completed).toMatchObject({
    status: 200,
    body: {
      sessionId: session.sessionId,
      status: 'completed',
      subscriptionId: approved.subscriptionPda,
      redirectUrl: `https://shop.example/done?x=1&session_id=${session.sessionId}`,
    },
  });
  expect((await world.request('POST', `${path}/complete`, { body: approved })).body).toEqual(completed.body);
  const late = await world.request('POST', `${path}/transaction`, { body: { userWallet: wallet.address } });
  expect({ status: late.status, ...late.body.error }).toMatchObject({ status: 400, param: 'sessionId' });

  const { body: checkout } = await world.request('GET', path, { key: merchant.testKey });
  expect(checkout).toEqual({
    sessionId: session.sessionId,
    url: session.url,
    status: 'completed',
    environment: 'test',
    expiresAt: session.expiresAt,
    merchant: { companyName: 'Acme', logoUrl: null, supportEmail: null },
    plan: {
      planId: 'pro',
      planName: 'Pro',
      description: null,
      amount: '5000000',
      interval: '86400',
      trialPeriodSeconds: '0',
      mint: plan.mint,
    },
    discount: null,
    cancelUrl: null,
    subscriptionId: approved.subscriptionPda,
    customer: { email: 'whole@example.com', customerId: 'user-2', walletAddress: wallet.address },
    successUrl: 'https://shop.example/done?x=1',
    metadata: { campaign: 'autumn' },
    createdAt: expect.stringMatching(/^2026-12-01T.*Z$/),
    completedAt: expect.stringMatching(/^2026-12-01T.*Z$/),
  });
});

it('GET /api/checkout/{sessionId} without a key returns the page’s fields only', async () => {
  const { body: session } = await create({ ...order, customerId: 'secret-user', metadata: { secret: 'x' } });
  const { status, body } = await world.request('GET', `/api/checkout/${session.sessionId}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    sessionId: session.sessionId,
    url: session.url,
    status: 'open',
    environment: 'test',
    expiresAt: session.expiresAt,
    merchant: { companyName: 'Acme', logoUrl: null, supportEmail: null },
    plan: expect.objectContaining({ planId: 'pro', planName: 'Pro', amount: '5000000' }),
    cancelUrl: null,
    subscriptionId: null,
    customer: { email: 'ada@example.com' },
    redirectUrl: null,
    walletConnected: false,
    discount: null,
    allowsCodes: false,
  });
});

it.each([
  ['GET', '/api/checkout/cs_unknown', undefined],
  ['GET', '/api/checkout/%00', undefined],
  ['POST', '/api/checkout/cs_unknown/transaction', { userWallet: 'x' }],
  ['POST', '/api/checkout/cs_unknown/wallet', { userWallet: '11111111111111111111111111111111' }],
  ['POST', '/api/checkout/cs_unknown/complete', { subscriptionPda: 'x', userWallet: 'x', signature: 'x' }],
])('%s %s is not found', async (method, path, body) => {
  const answer = await world.request(method, path, { body });
  expect({ status: answer.status, ...answer.body.error }).toMatchObject({ status: 404, code: 'not_found' });
});

it('the check of a wallet names all missing funds at once, and is no error', async () => {
  const sessionId = await world.openSession(merchant, plan, { customerEmail: 'check@example.com' });
  const check = (userWallet: string, part = 'wallet') =>
    world.request('POST', `/api/checkout/${sessionId}/${part}`, { body: { userWallet } });
  const wallet = await fundedWallet(world.network, 1_000_000n);
  await world.setTokens(wallet.address, PRICE - 1n);
  const lacksBoth = await check(wallet.address);
  const text =
    /^The wallet has 0\.001 SOL\. .+ SOL is missing\. It also has 4\.999999 USDC, .+: 0\.000001 USDC is missing\.$/;
  expect(lacksBoth).toMatchObject({
    status: 200,
    body: {
      refusal: expect.stringMatching(text),
      missing: { amount: '1', lamports: expect.stringMatching(/^[1-9]\d+$/) },
      terms: null,
    },
  });
  // The request of the transactions names the same.
  const refused = await check(wallet.address, 'transaction');
  expect({ status: refused.status, message: refused.body.error.message }).toEqual({
    status: 400,
    message: lacksBoth.body.refusal,
  });
  // With exactly the missing lamports only the tokens are missing, and with one more token nothing.
  const lamports = 1_000_000 + Number(lacksBoth.body.missing.lamports);
  await world.cheat('surfnet_setAccount', [wallet.address, { lamports }]);
  expect(await check(wallet.address)).toMatchObject({
    status: 200,
    body: {
      refusal: expect.stringMatching(/^The wallet has 4\.999999 USDC/),
      missing: { amount: '1', lamports: '0' },
      terms: { dueNow: `${PRICE}`, balance: { amount: `${PRICE - 1n}` } },
    },
  });
  await world.setTokens(wallet.address, PRICE);
  expect(await check(wallet.address)).toMatchObject({ status: 200, body: { refusal: null, missing: null } });
  const subscribed = await world.newWallet();
  await world.subscribe(merchant, plan, subscribed);
  expect(await check(subscribed.address)).toMatchObject({
    status: 200,
    body: { refusal: 'The wallet is already subscribed to this plan.', missing: null, terms: null },
  });
  const invalid = await check('x');
  expect({ status: invalid.status, param: invalid.body.error.param }).toEqual({
    status: 400,
    param: 'userWallet',
  });
});

it('reports which parameter of a checkout request is wrong', async () => {
  const wallet = await world.newWallet();
  const sessionId = await world.openSession(merchant, plan, { customerEmail: 'wrong@example.com' });
  const approved = await world.approve(sessionId, plan, wallet);
  const other = await generateKeyPairSigner();
  const errorOf = async (path: string, body: object) => {
    const answer = await world.request('POST', `/api/checkout/${sessionId}/${path}`, { body });
    return { status: answer.status, ...answer.body.error };
  };
  const invalid = (param: string) => expect.objectContaining({ status: 400, code: 'invalid_request', param });
  expect(await errorOf('transaction', {})).toEqual(invalid('userWallet'));
  expect(await errorOf('transaction', { userWallet: 'x' })).toEqual(invalid('userWallet'));
  const subscribed = await world.newWallet();
  await world.subscribe(merchant, plan, subscribed);
  expect(await errorOf('transaction', { userWallet: subscribed.address })).toEqual(invalid('userWallet'));
  expect(await errorOf('complete', { ...approved, subscriptionPda: 'x' })).toEqual(
    invalid('subscriptionPda'),
  );
  expect(await errorOf('complete', { ...approved, userWallet: 'x' })).toEqual(invalid('userWallet'));
  expect(await errorOf('complete', { ...approved, userWallet: other.address })).toEqual(
    invalid('subscriptionPda'),
  );
  expect(await errorOf('complete', { ...approved, signature: 'x' })).toEqual(invalid('signature'));
  expect(await errorOf('complete', { ...approved, signature: undefined })).toEqual(invalid('signature'));
});
