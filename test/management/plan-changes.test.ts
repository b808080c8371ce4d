/** Changes of an existing plan: its texts, its draft, its pullers, its account. */
import { address, createNoopSigner, getBase64EncodedWireTransaction } from '@solana/kit';
import { print } from 'graphql';
import { expect, it } from 'vitest';
import { decodePlan } from '../../src/chain/accounts/accounts.ts';
import { collectorAddresses } from '../../src/chain/accounts/collectors.ts';
import { readAccounts } from '../../src/chain/accounts/read-accounts.ts';
import { updatePlanInstruction } from '../../src/chain/transactions/program-additions.ts';
import { unsignedTransaction } from '../../src/chain/transactions/unsigned-transaction.ts';
import { recordProblems } from '../../src/domain/billing/collect/record-plan-problems.ts';
import { CREATE_PLAN, PLAN } from '../api/documents.ts';
import { SUNSET_PLAN } from '../api/management-documents.ts';
import { DELETE_DRAFT, DELETE_PLAN, PLAN_UPDATED, REPAIR_PLAN, UPDATE_PLAN } from '../api/plan-documents.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { DAY } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const [merchant, stranger] = [await world.newKeyedMerchant(), await world.newKeyedMerchant()];

const terms = { name: 'Pro', amount: '1000000', interval: DAY };
const createDraft = async (planId: string) =>
  (await world.query(merchant.testKey, CREATE_PLAN, { input: { planId, ...terms } })).createPlan;
const readAccount = async (account: string) => {
  const [found] = await readAccounts(world.chain, [address(account)], 'program');
  return found;
};

it('the texts of a plan are changed, a null removes one, and omitted ones stay', async () => {
  const input = { ...terms, planId: 'texts', description: 'Old', imageUrl: 'https://shop.example/old.png' };
  await world.query(merchant.testKey, CREATE_PLAN, { input });
  const update = (texts: object, key = merchant.testKey) =>
    world.query(key, UPDATE_PLAN, { planId: 'texts', input: texts });
  expect((await update({ name: 'New', imageUrl: null })).updatePlan).toEqual({
    planId: 'texts',
    name: 'New',
    description: 'Old',
    imageUrl: null,
  });
  expect((await update({ description: null, name: null })).updatePlan).toMatchObject({
    name: 'New',
    description: null,
  });
  for (const [param, wrong] of [
    ['input.name', { name: '' }],
    ['input.name', { name: 'x'.repeat(201) }],
    ['input.description', { description: 'x'.repeat(2_001) }],
    ['input.imageUrl', { imageUrl: 'http://shop.example/picture.png' }],
    ['input.imageUrl', { imageUrl: 'https://me@shop.example/' }],
  ] as const) {
    expect(await graphqlError(update(wrong))).toMatchObject({
      code: 'invalid_request',
      param: param.replace('input.', ''),
    });
  }
});

it('a draft can be deleted, which frees its id, until the plan is on chain', async () => {
  await createDraft('mistake');
  const remove = (planId: string, key = merchant.testKey) => world.query(key, DELETE_DRAFT, { planId });
  expect(await remove('mistake')).toEqual({ deletePlanDraft: 'mistake' });
  expect(await graphqlError(remove('mistake'))).toMatchObject({ code: 'not_found', param: 'planId' });
  const { transaction } = await createDraft('mistake');
  await world.sign(merchant.wallet, transaction);
  const refused = { code: 'invalid_request', param: 'planId' };
  // The indexer has not observed the account yet.
  expect(await graphqlError(remove('mistake'))).toMatchObject(refused);
  const plan = await world.db.plan.findFirstOrThrow({ where: { ...merchant.scope, planId: 'mistake' } });
  await world.mirror(plan.address);
  expect(await graphqlError(remove('mistake'))).toMatchObject(refused);
});

it('a draft is kept while every node is behind, because it may be on chain', async () => {
  await createDraft('unseen');
  const remove = () => world.query(merchant.testKey, DELETE_DRAFT, { planId: 'unseen' });
  const slot = (await world.chain.rpc.getSlot().send()) + 1_000_000n;
  const position = { environment: 'TEST' as const, slot, updatedAt: new Date() };
  await world.db.streamPosition.create({ data: position });
  expect(await graphqlError(remove())).toMatchObject({
    code: 'invalid_request',
    param: 'planId',
    message: 'The network cannot be read yet: try again in a moment.',
  });
  await world.db.streamPosition.delete({ where: { environment: 'TEST' } });
  expect(await remove()).toEqual({ deletePlanDraft: 'unseen' });
});

it('a plan gets the collectors again that it lost, and keeps other pullers', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'robbed' });
  const repair = (planId = 'robbed', key = merchant.testKey) => world.query(key, REPAIR_PLAN, { planId });
  const refused = { code: 'invalid_request', param: 'planId' };
  expect(await graphqlError(repair())).toMatchObject(refused);
  const account = await readAccount(plan.address);
  if (!account) throw new Error('No plan');
  const current = decodePlan(account.data);
  const owner = createNoopSigner(merchant.wallet.address);
  const changed = { ...current, pullers: [stranger.wallet.address] };
  const change = updatePlanInstruction({
    owner,
    plan: address(plan.address),
    active: true,
    wanted: changed,
    seen: current,
  });
  const unsigned = await unsignedTransaction(world.chain, owner.address, [change]);
  await world.sign(merchant.wallet, getBase64EncodedWireTransaction(unsigned));
  await world.mirror(plan.address);
  const status = async () => (await world.query(merchant.testKey, PLAN, { planId: 'robbed' })).plan?.status;
  expect(await status()).toBe('INACTIVE');
  const { repairPlanTransaction } = await repair();
  await world.sign(merchant.wallet, repairPlanTransaction.transaction);
  await world.mirror(plan.address);
  expect(await status()).toBe('ACTIVE');
  const repaired = await readAccount(plan.address);
  expect(repaired && decodePlan(repaired.data).pullers).toEqual([
    ...collectorAddresses(world.chain),
    stranger.wallet.address,
  ]);
  await createDraft('unpublished');
  expect(await graphqlError(repair('unpublished'))).toMatchObject(refused);
});

it('the account of a plan is deleted after its end, and its rent is returned', async () => {
  const plan = await world.publishPlan(merchant, { planId: 'over' });
  const remove = (key = merchant.testKey) => world.query(key, DELETE_PLAN, { planId: 'over' });
  const refused = { code: 'invalid_request', param: 'planId' };
  const endsAt = new Date(world.ctx.clock.now().getTime() + (DAY + 600) * 1_000);
  endsAt.setUTCMilliseconds(0);
  const { sunsetPlanTransaction } = await world.query(merchant.testKey, SUNSET_PLAN, {
    planId: 'over',
    endsAt: endsAt.toISOString(),
  });
  await world.sign(merchant.wallet, sunsetPlanTransaction.transaction);
  await world.mirror(plan.address);
  expect(await graphqlError(remove())).toMatchObject(refused);
  await world.travel(2 * DAY);
  const before = (await readAccount(merchant.wallet.address))?.lamports ?? 0n;
  const { deletePlanTransaction } = await remove();
  await world.sign(merchant.wallet, deletePlanTransaction.transaction);
  expect(await readAccount(plan.address)).toBeUndefined();
  expect((await readAccount(merchant.wallet.address))?.lamports).toBeGreaterThan(before);
  await world.mirror(plan.address);
  expect(await graphqlError(remove())).toMatchObject(refused);
});

it('a subscriber hears when a plan is ACTIVE, gets other texts or a problem', async () => {
  const { plan, transaction } = await createDraft('watched');
  const { planId } = plan;
  const watch = (variables: Record<string, unknown>, key = merchant.testKey) =>
    world.socket(key).iterate<Record<string, unknown>>({ query: print(PLAN_UPDATED), variables });
  const updates = watch({ planId });
  const next = async () => (await updates.next()).value?.data?.planUpdated;
  expect(await next()).toEqual({ planId, name: 'Pro', status: 'DRAFT', problem: null });
  await createDraft('another');
  await world.query(merchant.testKey, UPDATE_PLAN, { planId: 'another', input: { name: 'Other' } });
  const { address: planAddress } = await world.db.plan.findFirstOrThrow({
    where: { ...merchant.scope, planId },
  });
  await world.sign(merchant.wallet, transaction);
  await world.mirror(planAddress);
  expect(await next()).toMatchObject({ planId, status: 'ACTIVE' });
  // An observation without a change is not published.
  await world.mirror(planAddress);
  await world.query(merchant.testKey, UPDATE_PLAN, { planId, input: { name: 'Better' } });
  expect(await next()).toMatchObject({ planId, name: 'Better' });
  await recordProblems(world.ctx, 'TEST', [{ address: planAddress, problem: 'RECEIVER_FROZEN' }]);
  expect(await next()).toMatchObject({ planId, problem: 'RECEIVER_FROZEN' });
  await updates.return?.();
  const { value } = await watch({ planId }, stranger.testKey).next();
  expect(value).toMatchObject({ errors: [{ extensions: { code: 'not_found', param: 'planId' } }] });
});
