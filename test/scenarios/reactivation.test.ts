import { address, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const readTokens = (customer: Subscriber) => world.tokensOf(customer.wallet.address);
const readState = async (customer: Subscriber) => (await customer.state()).state;

/** Subscribes a customer who can pay only once, and waits until the subscription has expired. */
async function subscribeUntilExpired(planId: string): Promise<Subscriber> {
  const customer = await world.subscriber(planId, { payments: 1 });
  await world.quiet();
  await world.travel(DAY);
  for (const seconds of [65, 305]) await world.travel(seconds);
  expect(await readState(customer)).toBe('expired');
  return customer;
}

async function reactivate(planId: string, { wallet }: Subscriber): Promise<void> {
  const { approve, complete } = await world.checkout(planId, { wallet });
  await complete(await approve());
  await world.quiet();
}

it('an expired customer pays the current period once, and the next ones', async () => {
  const planId = await world.plan();
  const customer = await subscribeUntilExpired(planId);
  await customer.setBalance(10n * PRICE);
  await world.travel(2 * DAY + HOUR);
  expect(await readTokens(customer)).toBe(10n * PRICE);
  await reactivate(planId, customer);
  expect(await readTokens(customer)).toBe(9n * PRICE);
  await world.travel(DAY);
  expect(await readTokens(customer)).toBe(8n * PRICE);
  expect((await world.books(customer.id)).map(({ status }) => status)).toEqual([
    ...['SUCCEEDED', 'FAILED', 'SUCCEEDED', 'SUCCEEDED'],
  ]);
  expect(world.receivedEvents(customer.id)).toEqual([
    ...['created', 'payment_succeeded', 'payment_failed', 'payment_failed', 'payment_failed', 'expired'],
    ...['created', 'payment_succeeded', 'payment_succeeded'],
  ]);
});

it('who had paid before the merchant cancelled is not charged on return', async () => {
  const planId = await world.plan();
  const customer = await world.subscriber(planId, { payments: 10 });
  await world.quiet();
  for (const visit of [1, 2]) {
    await world.graphql(
      'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: NOW) { transaction } }',
      {
        id: customer.id,
      },
    );
    expect(await readState(customer), `visit ${visit}`).toBe('cancelled');
    await reactivate(planId, customer);
    expect(await readState(customer)).toBe('active');
  }
  expect(await readTokens(customer)).toBe(9n * PRICE);
  await world.travel(DAY);
  expect(await readTokens(customer)).toBe(8n * PRICE);
});

it('who never completes the new checkout is reactivated, or not charged', async () => {
  const planId = await world.plan();
  const [signer, leaver] = [await subscribeUntilExpired(planId), await subscribeUntilExpired(planId)];
  for (const customer of [signer, leaver]) await customer.setBalance(10n * PRICE);
  const { approve } = await world.checkout(planId, { wallet: signer.wallet });
  await world.checkout(planId, { wallet: leaver.wallet });
  await approve();
  await world.until('the subscription is active', async () => (await readState(signer)) === 'active');
  await world.travel(DAY);
  expect(await readState(leaver)).toBe('expired');
  expect(await readTokens(leaver)).toBe(10n * PRICE);
  expect(await readTokens(signer)).toBeLessThan(10n * PRICE);
});

it('an old transaction does not undo a later cancellation by the merchant', async () => {
  const planId = await world.plan();
  const customer = await subscribeUntilExpired(planId);
  await customer.setBalance(10n * PRICE);
  const { createCheckoutSession: otherTab } = await world.graphql<{ createCheckoutSession: { id: string } }>(
    'mutation ($planId: String!) { createCheckoutSession(input: { planId: $planId, customerEmail: "tab@example.com" }) { id } }',
    { planId },
  );
  const first = await world.checkout(planId, { wallet: customer.wallet });
  const second = await world.checkout(planId, { wallet: customer.wallet, sessionId: otherTab.id });
  await world.stopIndexer();
  const signatures = [await first.approve(), await second.approve()] as const;
  await first.complete(signatures[0]);
  await world.startIndexer();
  await world.quiet();
  await world.graphql(
    'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: NOW) { transaction } }',
    { id: customer.id },
  );
  const balance = await readTokens(customer);
  await expect(second.complete(signatures[1])).rejects.toThrow();
  const stranger = await generateKeyPairSigner();
  world.fund(stranger.address);
  await world.land(stranger, [
    getTransferSolInstruction({ source: stranger, destination: address(customer.id), amount: 1n }),
  ]);
  await world.quiet();
  await world.travel(DAY);
  await expect(second.complete(signatures[1])).rejects.toThrow();
  expect(await readState(customer)).toBe('cancelled');
  expect(await readTokens(customer)).toBe(balance);
});
