import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import type { Plan } from '../../src/generated/prisma/client.ts';
import { DAY } from '../domain/world.ts';
import { type ApiWorld, type KeyedMerchant, startApiWorld } from './world.ts';

let world: ApiWorld;
let merchant: KeyedMerchant;
let plan: Plan;

beforeAll(async () => {
  world = await startApiWorld();
  merchant = await world.keyedMerchant();
  plan = await world.publishPlan(merchant);
});
afterAll(() => world.close());

async function subscriber() {
  const wallet = await world.newWallet();
  const { id, address } = await world.subscribe(merchant, plan, wallet);
  const ask = (action: unknown) =>
    world.request('POST', `/api/subscriptions/${address}/transaction`, { body: { action } });
  return {
    wallet,
    id,
    address,
    ask,
    /** Signs the transaction with the wallet, and mirrors the result. */
    async act(action: string) {
      const { status, body } = await ask(action);
      expect(status).toBe(200);
      await world.sign(wallet, body.transaction);
      await world.mirror(address);
    },
    status: async () => (await world.db.subscription.findUniqueOrThrow({ where: { id } })).status,
    refused: async (action: unknown) => {
      const answer = await ask(action);
      return { status: answer.status, ...answer.body.error };
    },
  };
}

const invalidAction = expect.objectContaining({ status: 400, code: 'invalid_request', param: 'action' });

it('a wallet cancels and resumes with the returned transactions', async () => {
  const { act, status, refused } = await subscriber();
  expect(await refused('resume')).toEqual(invalidAction);
  await act('cancel');
  expect(await status()).toBe('CANCELLED');
  expect(await refused('cancel')).toEqual(invalidAction);
  await act('resume');
  expect(await status()).toBe('ACTIVE');
});

it('a wallet repairs an approval that was revoked, and cannot repair one that was closed', async () => {
  const { wallet, act, refused } = await subscriber();
  await world.revoke(wallet, plan);
  await act('repair_approval');
  expect(await world.delegateOf(wallet, plan)).not.toBeNull();
  await world.onChain.closeAuthority(wallet, plan);
  expect(await refused('repair_approval')).toEqual(invalidAction);
});

it('a wallet cannot resume a subscription that its merchant cancelled, or that is closed', async () => {
  const { wallet, address, act, refused } = await subscriber();
  await cancelSubscription(world.ctx, merchant.scope, { subscription: address, when: 'NOW' });
  await act('cancel');
  expect(await refused('resume')).toEqual(invalidAction);
  await world.travel(DAY);
  await world.onChain.close(wallet, plan);
  for (const action of ['cancel', 'resume', 'repair_approval']) {
    expect(await refused(action)).toEqual(invalidAction);
  }
});

it.each(['pause', undefined, 7])('%j is not an action', async (action) => {
  expect(await (await subscriber()).refused(action)).toEqual(invalidAction);
});

it.each(['unknown', '%00'])('a subscription %s is not found', async (name) => {
  const { status, body } = await world.request('POST', `/api/subscriptions/${name}/transaction`, {
    body: { action: 'cancel' },
  });
  expect({ status, ...body.error }).toMatchObject({
    status: 404,
    code: 'not_found',
    param: 'subscriptionId',
  });
});
