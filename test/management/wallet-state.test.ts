import { address, type KeyPairSigner } from '@solana/kit';
import { getApproveInstruction } from '@solana-program/token';
import { beforeEach, expect, it } from 'vitest';
import { WALLET_READS } from '../../src/api/rate-limit/rate-limit.ts';
import { createRateLimits } from '../../src/api/rate-limit/rate-limits.ts';
import type { Subscription } from '../../src/generated/prisma/client.ts';
import { WALLET_STATE, WALLET_STATES } from '../api/wallet-documents.ts';
import { startApiWorld } from '../api/world.ts';
import { PRICE } from '../domain/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

let wallet: KeyPairSigner;
let subscription: Subscription;
const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const plan = await world.publishPlan(merchant);
beforeEach(async () => {
  wallet = await world.newWallet(3n * PRICE + 1n);
  subscription = await world.subscribe(merchant, plan, wallet);
});

const stateOf = async ({ address: id }: Subscription) =>
  (await world.query(merchant.testKey, WALLET_STATE, { id })).subscription?.walletState;
const healthy = { balance: String(3n * PRICE + 1n), approval: 'OK', frozen: false, runwayPeriods: 3 };

it('a wallet shows how long its balance lasts, and is read again later', async () => {
  const checkedAt = world.ctx.clock.now().toISOString();
  expect(await stateOf(subscription)).toEqual({ ...healthy, checkedAt });
  await world.setTokens(wallet.address, PRICE - 1n);
  expect(await stateOf(subscription)).toEqual({ ...healthy, checkedAt });
  await world.travel(6);
  // A low balance is not a problem of the approval.
  expect(await stateOf(subscription)).toEqual({
    balance: String(PRICE - 1n),
    approval: 'OK',
    frozen: false,
    runwayPeriods: 0,
    checkedAt: world.ctx.clock.now().toISOString(),
  });
});

it('a revoked approval is distinguished from a low balance', async () => {
  await world.revoke(wallet, plan);
  expect(await stateOf(subscription)).toMatchObject({ ...healthy, approval: 'REVOKED' });
});

it("another app's approval is reported", async () => {
  const approve = getApproveInstruction({
    source: address(subscription.tokenAccount),
    delegate: merchant.wallet.address,
    owner: wallet,
    amount: 1n,
  });
  await world.act(wallet, approve);
  expect(await stateOf(subscription)).toMatchObject({ ...healthy, approval: 'REPLACED' });
});

it('an authority that the customer closed is reported', async () => {
  await world.onChain.closeAuthority(wallet, plan);
  const state = await stateOf(subscription);
  expect(state).toMatchObject({ ...healthy, approval: 'CLOSED' });
});

it('a missing token account has no balance', async () => {
  await world.db.subscription.update({
    where: { id: subscription.id },
    data: { tokenAccount: (await world.newWallet(0n)).address },
  });
  expect(await stateOf(subscription)).toMatchObject({
    balance: null,
    approval: 'CLOSED',
    frozen: false,
    runwayPeriods: 0,
  });
});

it('the wallets of a page are read together, up to a limit per caller', async () => {
  const { testKey, scope } = merchant;
  const page = (first: number) => world.query(testKey, WALLET_STATES, { first });
  const { edges } = (await page(20)).subscriptionsConnection;
  expect(edges.find((edge) => edge?.node.id === subscription.address)?.node.walletState).toEqual({
    balance: healthy.balance,
    approval: 'OK',
  });
  const limits = await createRateLimits(world.ctx);
  const limitKey = `${scope.merchantId}/${scope.environment}`;
  const { remaining } = await limits.take(WALLET_READS, limitKey, 1);
  await limits.take(WALLET_READS, limitKey, remaining);
  await limits.close();
  // The cached answer is still used.
  expect(await stateOf(subscription)).toMatchObject(healthy);
  await world.travel(6);
  const body = {
    query: '{ subscriptionsConnection(first: 1) { edges { node { walletState { balance } } } } }',
  };
  const refused = await world.request('POST', '/graphql', { key: testKey, body });
  expect(refused.body.errors[0].extensions).toEqual({ code: 'rate_limit_exceeded' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  // After a mutation has made its change, a refused part of its result must not ask for a retry.
  const customer = await world.db.customer.findFirstOrThrow({ where: scope });
  const states = 'subscriptions(first: 1) { edges { node { walletState { balance } } } }';
  const query = `mutation { updateCustomer(id: "${customer.id}", email: "new@example.com") { ${states} } }`;
  const changed = await world.request('POST', '/graphql', { key: testKey, body: { query } });
  expect(changed.body.errors[0].extensions).toEqual({ code: 'rate_limit_exceeded' });
  expect(changed.headers.has('retry-after')).toBe(false);
  expect(await world.db.customer.findUnique({ where: { id: customer.id } })).toMatchObject({
    email: 'new@example.com',
  });
});

it('a document that reads too many wallets is refused', async () => {
  const query = `{ ${['a', 'b', 'c']
    .map(
      (name) => `${name}: subscriptionsConnection(first: 100) { edges { node { walletState { balance } } } }`,
    )
    .join(' ')} }`;
  const { body } = await world.request('POST', '/graphql', { key: merchant.testKey, body: { query } });
  expect(body.errors).toMatchObject([{ extensions: { code: 'invalid_request', param: 'query' } }]);
});
