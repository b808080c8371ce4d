import { expect, it } from 'vitest';
import { CREATE_CHECKOUT_SESSION, PLAN } from '../api/documents.ts';
import { SUNSET_PLAN } from '../api/management-documents.ts';
import { UPDATE_PLAN } from '../api/plan-documents.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { DAY } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

const inSeconds = (seconds: number) =>
  new Date(Math.ceil(world.ctx.clock.now().getTime() / 1000 + seconds) * 1000).toISOString();
const sunset = (planId: string, endsAt: string, key = merchant.testKey) =>
  world.query(key, SUNSET_PLAN, { planId, endsAt });

it('a plan is closed by its wallet’s transaction, after the mirror has seen it', async () => {
  const { address, planId } = await world.publishPlan(merchant, { planId: 'old' });
  const endsAt = inSeconds(2 * DAY);
  const { sunsetPlanTransaction } = await sunset(planId, endsAt);
  expect(sunsetPlanTransaction.plan).toEqual({ planId, status: 'ACTIVE' });
  await world.sign(merchant.wallet, sunsetPlanTransaction.transaction);
  await world.mirror(address);
  const { plan } = await world.query(merchant.testKey, PLAN, { planId });
  expect(plan).toMatchObject({ status: 'INACTIVE', endsAt });
  const input = { planId, customerEmail: 'ada@example.com' };
  const refused = await graphqlError(world.query(merchant.testKey, CREATE_CHECKOUT_SESSION, { input }));
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'planId' });
  expect(await graphqlError(sunset(planId, endsAt))).toMatchObject({ param: 'planId' });
});

it('an end that the chain would refuse is refused by the API, with the allowed range', async () => {
  await world.publishPlan(merchant, { planId: 'young' });
  const wrong = { code: 'invalid_request', param: 'endsAt' };
  for (const endsAt of [inSeconds(-DAY), inSeconds(DAY), '2027-01-01T00:00:00.500Z']) {
    const refused = await graphqlError(sunset('young', endsAt));
    expect(refused).toMatchObject(wrong);
    expect(refused.message).toContain(inSeconds(DAY + 120));
  }
  const { sunsetPlanTransaction } = await sunset('young', inSeconds(DAY + 120));
  await world.sign(merchant.wallet, sunsetPlanTransaction.transaction);
});

it('an end is after all attempts of a plan that spreads payments', async () => {
  await world.publishPlan(merchant, { planId: 'spread', collectWithinSeconds: 600 });
  // The attempts that have a time keep it.
  await world.query(merchant.testKey, UPDATE_PLAN, { planId: 'spread', input: { collectWithinSeconds: 0 } });
  const refused = await graphqlError(sunset('spread', inSeconds(DAY + 120)));
  expect(refused.message).toContain(inSeconds(DAY + 600 + 120));
  const { sunsetPlanTransaction } = await sunset('spread', inSeconds(DAY + 600 + 120));
  await world.sign(merchant.wallet, sunsetPlanTransaction.transaction);
});

it('only a published plan of the merchant can be closed', async () => {
  await world.publishPlan(merchant, { planId: 'mine' });
  const endsAt = inSeconds(2 * DAY);
  const { id: _, ...plan } = await world.db.plan.findFirstOrThrow({ where: { planId: 'mine' } });
  await world.db.plan.create({ data: { ...plan, planId: 'draft', address: 'draft', status: 'DRAFT' } });
  const refused = await graphqlError(sunset('draft', endsAt));
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'planId' });
});

it('the metadata URL of a plan’s account shows its terms to anyone', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'public', trialPeriodSeconds: 7_200 });
  const { status, body } = await world.request('GET', `/plans/${plan.id}.json`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      planId: 'public',
      name: 'Pro',
      description: null,
      imageUrl: null,
      amount: '5000000',
      maxAmount: '5000000',
      interval: '86400',
      trialPeriodSeconds: '7200',
      mint: plan.mint,
      merchant: { companyName: 'Acme', logoUrl: null },
    },
  });
});
