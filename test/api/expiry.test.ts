import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { COMPLETE, PUBLIC_CHECKOUT_SESSION } from './documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

// A separate file, because it advances the clock.
const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

it('an expired session is expired in every answer', async () => {
  const plan = await world.publishPlan(merchant);
  const sessionId = await world.openSession(merchant, plan);
  await world.travel(30 * 60);
  const wallet = await world.newWallet();
  const presented = { subscriptionPda: wallet.address, userWallet: wallet.address, signature: 'x' };
  const expired = { code: 'session_expired', param: 'sessionId' };

  const path = `/api/checkout/${sessionId}`;
  expect((await world.request('GET', path)).body.status).toBe('expired');
  const completed = await world.request('POST', `${path}/complete`, { body: presented });
  expect({ status: completed.status, ...completed.body.error }).toMatchObject({ status: 400, ...expired });
  const prepared = await world.request('POST', `${path}/transaction`, {
    body: { userWallet: wallet.address },
  });
  expect({ status: prepared.status, ...prepared.body.error }).toMatchObject({ status: 400, ...expired });
  expect((await world.request('GET', `/checkout/${sessionId}`)).body).toContain('This checkout has expired');

  const { checkoutSession } = await world.query(undefined, PUBLIC_CHECKOUT_SESSION, { id: sessionId });
  expect(checkoutSession?.status).toBe('EXPIRED');
  const refused = await graphqlError(world.query(undefined, COMPLETE, { sessionId, ...presented }));
  expect(refused).toMatchObject(expired);
});

it('a plan that ended is inactive for a session that was opened before', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'ending' });
  const sessionId = await world.openSession(merchant, plan);
  await world.db.plan.update({ where: { id: plan.id }, data: { endsAt: world.ctx.clock.now() } });
  const wallet = await world.newWallet();
  const prepared = await world.request('POST', `/api/checkout/${sessionId}/transaction`, {
    body: { userWallet: wallet.address },
  });
  expect({ status: prepared.status, ...prepared.body.error }).toMatchObject({
    status: 400,
    code: 'plan_inactive',
  });
});

it('a key that has expired or was revoked gives no access', async () => {
  const expiring = await world.newKeyedMerchant();
  const where = { merchantId: expiring.merchant.id, environment: 'TEST' as const };
  await world.db.apiKey.updateMany({ where, data: { expiresAt: world.ctx.wallClock.now() } });
  await world.db.apiKey.updateMany({
    where: { ...where, environment: 'LIVE' },
    data: { revokedAt: world.ctx.clock.now() },
  });
  for (const key of [expiring.testKey, expiring.liveKey]) {
    const { status, body } = await world.request('GET', '/api/subscriptions', { key });
    expect({ status, ...body.error }).toMatchObject({ status: 401, code: 'authentication_error' });
  }
});
