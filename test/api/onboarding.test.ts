import { expect, it } from 'vitest';
import { inviteMember } from '../../src/domain/accounts/member/invite-member.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { Browser } from './browser.ts';
import { DISMISS_ONBOARDING, ONBOARDING, SERVICE_HEALTH } from './dashboard-documents.ts';
import { CREATE_API_KEY } from './documents.ts';
import { seedPayments } from './seed.ts';
import { UPDATE_PROFILE } from './team-documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());

it('the first steps of a merchant are marked as done one by one', async () => {
  const merchant = await world.newMerchant();
  const browser = new Browser(world);
  await browser.signIn(merchant.wallet);
  const doneSteps = async () => {
    const { onboarding } = await browser.query(ONBOARDING, {});
    // LIVE is not configured here.
    expect(onboarding.steps.map(({ step }) => step)).toEqual([
      ...['PROFILE', 'PLAN_ACTIVE', 'API_KEY', 'WEBHOOK_DELIVERED', 'TEST_CHECKOUT', 'PAYMENT'],
    ]);
    return onboarding.steps.filter(({ doneAt }) => doneAt !== null).map(({ step }) => step);
  };
  expect(await doneSteps()).toEqual([]);

  await browser.query(UPDATE_PROFILE, { input: { supportEmail: 'help@acme.example' } });
  expect(await doneSteps()).toEqual(['PROFILE']);

  const plan = await world.publishPlan(merchant);
  await browser.query(CREATE_API_KEY, { name: 'first' });
  expect(await doneSteps()).toEqual(['PROFILE', 'PLAN_ACTIVE', 'API_KEY']);

  const { id, address } = await world.subscribe(merchant, plan, await world.newWallet());
  expect(await doneSteps()).toEqual(['PROFILE', 'PLAN_ACTIVE', 'API_KEY', 'TEST_CHECKOUT']);

  await seedPayments(world.db, merchant.scope, address);
  expect(await doneSteps()).toEqual(['PROFILE', 'PLAN_ACTIVE', 'API_KEY', 'TEST_CHECKOUT', 'PAYMENT']);

  const event = await world.db.event.findFirstOrThrow({ where: { subscriptionId: id } });
  const endpoint = await world.db.webhookEndpoint.create({
    data: { ...merchant.scope, url: 'https://shop.example/hook', encryptedSecret: Buffer.from('x') },
  });
  const createdAt = world.ctx.clock.now();
  await world.db.delivery.create({
    data: { ...merchant.scope, eventId: event.id, endpointId: endpoint.id, createdAt, status: 'SUCCEEDED' },
  });
  const { onboarding } = await browser.query(ONBOARDING, {});
  expect(onboarding.steps).toContainEqual({ step: 'WEBHOOK_DELIVERED', doneAt: createdAt.toISOString() });
  expect(await doneSteps()).toHaveLength(6);
});

it('a member closes the list once for the whole team, and a read-only member cannot', async () => {
  const merchant = await world.newKeyedMerchant();
  const [owner, reader] = [new Browser(world), new Browser(world)];
  await owner.signIn(merchant.wallet);
  const wallet = await world.newWallet();
  const scope = { merchantId: merchant.merchant.id };
  await inviteMember(world.ctx, scope, { walletAddress: wallet.address, role: 'READ_ONLY' });
  await reader.signIn(wallet);

  const refused = { code: 'authentication_error' };
  expect(await graphqlError(reader.query(DISMISS_ONBOARDING, {}))).toMatchObject(refused);
  expect((await reader.query(ONBOARDING, {})).onboarding.dismissedAt).toBeNull();

  const { dismissOnboarding } = await owner.query(DISMISS_ONBOARDING, {});
  expect(dismissOnboarding.dismissedAt).toBe(world.ctx.clock.now().toISOString());
  await world.travel(60);
  expect((await owner.query(DISMISS_ONBOARDING, {})).dismissOnboarding).toEqual(dismissOnboarding);
  expect((await reader.query(ONBOARDING, {})).onboarding).toMatchObject(dismissOnboarding);
  const where = { ...scope, action: 'onboarding.dismissed' };
  expect(await world.db.auditEntry.count({ where })).toBe(1);

  for (const key of [merchant.testKey, undefined]) {
    expect(await graphqlError(world.query(key, ONBOARDING, {}))).toMatchObject(refused);
    expect(await graphqlError(world.query(key, DISMISS_ONBOARDING, {}))).toMatchObject(refused);
  }
});

it('a merchant reads whether payments can be collected, and the mirror’s state', async () => {
  const merchant = await world.newKeyedMerchant();
  const { address } = world.chain.collector;
  world.fund(address, 1_000_000_000n);
  const { serviceHealth } = await world.query(merchant.testKey, SERVICE_HEALTH, {});
  expect(serviceHealth).toEqual({
    collectors: [
      {
        environment: 'TEST',
        role: 'CURRENT',
        address,
        lamports: '1000000000',
        daysLeft: null,
        canPay: true,
      },
    ],
    mirror: { state: 'NEVER', slotsBehind: null, silentSeconds: null, doubt: null },
    checkedAt: world.ctx.clock.now().toISOString(),
  });
  // LIVE is not configured here.
  expect(await graphqlError(world.query(merchant.liveKey, SERVICE_HEALTH, {}))).toMatchObject({
    code: 'invalid_request',
  });
  expect(await graphqlError(world.query(undefined, SERVICE_HEALTH, {}))).toMatchObject({
    code: 'authentication_error',
  });
});
