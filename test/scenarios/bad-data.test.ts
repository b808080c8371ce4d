import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAccounts } from '../../src/chain/read-accounts.ts';
import { DAY, PRICE, type Subscriber, startWorld, type World } from './world.ts';

let world: World;
let broken: Subscriber;
let sound: Subscriber[];
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Three subscribers of one plan who have paid the first period and are due together; the first one's row is odd. */
async function renewing(): Promise<void> {
  const planId = await world.plan();
  const all = await Promise.all([0, 1, 2].map(() => world.subscriber(planId)));
  const [first, ...others] = all as [Subscriber, ...Subscriber[]];
  [broken, sound] = [first, others];
  await world.quiet();
  world.logged.length = 0;
}

const lifeOf = ({ id: address }: Subscriber) =>
  world.ctx.db.subscription.findFirstOrThrow({ where: { address } });

async function othersPaid(): Promise<void> {
  for (const { id, wallet } of sound) {
    await world.until('the others are told', () => world.told(id).length === 3);
    expect(world.told(id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(wallet.address)).toBe(98n * PRICE);
  }
}

describe('a subscription with data that makes no sense', () => {
  it('is told of and left alone, and those that are due with it are collected', async () => {
    await renewing();
    const { id, nextPaymentAt } = await lifeOf(broken);
    const off = new Date(nextPaymentAt.getTime() + 1000);
    await world.ctx.db.subscription.update({ where: { id }, data: { nextPaymentAt: off } });
    await world.jump(DAY + 1);
    await othersPaid();
    const told = world.logged.find(({ msg }) => msg.includes('cannot be decided'));
    expect(told).toMatchObject({ subscription: id });
    expect(await world.tokensOf(broken.wallet.address)).toBe(99n * PRICE);
    await world.ctx.db.subscription.update({ where: { id }, data: { nextPaymentAt } });
    await world.travel(61);
    expect(await world.tokensOf(broken.wallet.address)).toBe(98n * PRICE);
  });

  it('that the database refuses to book holds nobody up, and is booked once that is put right', async () => {
    await renewing();
    const { id, merchantId, environment, lastSequence } = await lifeOf(broken);
    const taken = { subscriptionId: id, sequence: lastSequence + 1, type: 'subscription.created', data: {} };
    const event = await world.ctx.db.event.create({
      data: { ...taken, merchantId, environment, createdAt: world.ctx.clock.now(), relayedAt: new Date(0) },
    });
    await world.jump(DAY);
    await othersPaid();
    await world.until('somebody is told', () =>
      world.logged.some(({ msg }) => msg === 'transaction not settled, will be tried again'),
    );
    await world.ctx.db.event.delete({ where: { id: event.id } });
    await world.quiet();
    expect(world.told(broken.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
    expect(await world.tokensOf(broken.wallet.address)).toBe(98n * PRICE);
  });

  it('on chain, which nobody can read, is set aside with an alert, and the others are collected', async () => {
    await renewing();
    const { tokenAccount } = await lifeOf(broken);
    const [account] = await readAccounts(world.chain, [tokenAccount as Address]);
    if (!account) throw new Error('no token account');
    const put = (data: ReadonlyUint8Array) =>
      world.rpc('surfnet_setAccount', [tokenAccount, { data: Buffer.from(data).toString('hex') }]);
    await put(account.data.slice(0, 100));
    await world.jump(DAY);
    await othersPaid();
    const told = world.logged.filter(({ msg }) => msg.startsWith('a payer cannot be read'));
    expect(told).toMatchObject([{ subscription: broken.id }]);
    expect(await broken.state()).toEqual({ state: 'active', failureCount: 0 });
    await put(account.data);
    await world.travel(10 * 60 + 1);
    expect(world.told(broken.id)).toEqual(['created', 'payment_succeeded', 'payment_succeeded']);
  });
});
