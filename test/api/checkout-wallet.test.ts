import { expect, it } from 'vitest';
import { cancelSubscription } from '../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { DAY } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);

async function newCustomer() {
  const wallet = await world.newWallet();
  const { id, address } = await world.subscribe(merchant, plan, wallet);
  const requestTransaction = (action: unknown) =>
    world.request('POST', `/api/subscriptions/${address}/transaction`, { body: { action } });
  return {
    wallet,
    id,
    address,
    requestTransaction,
    /** Signs the transaction with the wallet, and mirrors the result. */
    async sign(action: string) {
      const { status, body } = await requestTransaction(action);
      expect(status).toBe(200);
      await world.sign(wallet, body.transaction);
      await world.mirror(address);
    },
    status: async () => (await world.db.subscription.findUniqueOrThrow({ where: { id } })).status,
    errorOf: async (action: unknown) => {
      const answer = await requestTransaction(action);
      return { status: answer.status, ...answer.body.error };
    },
  };
}

const invalidAction = expect.objectContaining({ status: 400, code: 'invalid_request', param: 'action' });

it('a wallet cancels and resumes with the returned transactions', async () => {
  const { sign, status, errorOf } = await newCustomer();
  expect(await errorOf('resume')).toEqual(invalidAction);
  await sign('cancel');
  expect(await status()).toBe('CANCELLED');
  expect(await errorOf('cancel')).toEqual(invalidAction);
  await sign('resume');
  expect(await status()).toBe('ACTIVE');
});

it('a wallet repairs a revoked approval, but not a closed one', async () => {
  const { wallet, sign, errorOf } = await newCustomer();
  await world.revoke(wallet, plan);
  await sign('repair_approval');
  expect(await world.delegateOf(wallet, plan)).not.toBeNull();
  await world.onChain.closeAuthority(wallet, plan);
  expect(await errorOf('repair_approval')).toEqual(invalidAction);
});

it('a wallet cannot resume what its merchant cancelled, or what is closed', async () => {
  const { wallet, address, sign, errorOf } = await newCustomer();
  await cancelSubscription(world.ctx, merchant.scope, { subscription: address, when: 'NOW' });
  await sign('cancel');
  expect(await errorOf('resume')).toEqual(invalidAction);
  await world.travel(DAY);
  await world.onChain.close(wallet, plan);
  for (const action of ['cancel', 'resume', 'repair_approval']) {
    expect(await errorOf(action)).toEqual(invalidAction);
  }
});

it.each(['pause', undefined, 7])('%j is not an action', async (action) => {
  expect(await (await newCustomer()).errorOf(action)).toEqual(invalidAction);
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
