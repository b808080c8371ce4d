import { address, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccountLayoutError, decodeSubscription } from '../../../src/chain/accounts/accounts.ts';
import { authorityAddress, PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import { cancelSubscription } from '../../../src/domain/billing/lifecycle/cancel-subscription.ts';
import {
  observeAuthoritiesClosed,
  observeAuthorityClosed,
} from '../../../src/domain/billing/lifecycle/observe-authorities-closed.ts';
import { getSubscription } from '../../../src/domain/billing/read/get-subscription.ts';
import { settleTransactions } from '../../../src/domain/billing/settle/settle-transactions.ts';
import {
  observeSubscription,
  observeSubscriptions,
} from '../../../src/domain/checkout/observe-subscriptions.ts';
import type { Plan, Subscription } from '../../../src/generated/prisma/client.ts';
import { statementsOf } from '../../../tools/statements.ts';
import { DAY, HOUR, PRICE, startWorld, type TestMerchant, type World } from '../world.ts';

let world: World;
let merchant: TestMerchant;
let plan: Plan;
let wallet: KeyPairSigner;
let subscription: Subscription;
beforeAll(async () => {
  world = await startWorld();
  merchant = await world.newMerchant();
  plan = await world.publishPlan(merchant);
});
beforeEach(async () => {
  wallet = await world.newWallet();
  subscription = await world.subscribe(merchant, plan, wallet);
});
afterAll(() => world.close());

const now = () => world.db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
const fromStart = (seconds: number) => new Date(subscription.startedAt.getTime() + seconds * 1000);
const mirror = () => world.mirror(subscription.address);
const cancel = async () => {
  await world.onChain.cancel(wallet, plan);
  await mirror();
};
const resume = async () => {
  await world.onChain.resume(wallet, plan);
  await mirror();
};

/** Writes the payment of the period that starts at `secondsIn`, as attempted or made. */
async function payment(status: 'DUE' | 'SUCCEEDED', secondsIn = 0) {
  const paid = { number: 1, signature: `paid-${subscription.id}`, paidAt: world.ctx.clock.now() };
  return world.db.payment.create({
    data: {
      ...merchant.scope,
      subscriptionId: subscription.id,
      periodStart: subscription.chainCreatedAt + BigInt(secondsIn),
      dueAt: fromStart(secondsIn),
      amount: PRICE,
      status,
      ...(status === 'SUCCEEDED' && paid),
    },
  });
}

/** Closes the subscription on chain, unseen by the mirror. */
async function closeUnseen(): Promise<void> {
  await world.onChain.cancel(wallet, plan);
  await world.travel(DAY + 17);
  await world.onChain.close(wallet, plan);
}

describe('a cancellation on chain', () => {
  it('stops collection, keeps access until the period ends, and records one event', async () => {
    const { id } = await payment('DUE');
    await cancel();
    const cancelled = await now();
    expect(cancelled).toMatchObject({
      status: 'CANCELLED',
      accessUntil: fromStart(DAY),
      nextAttemptAt: null,
      cancelledAt: world.ctx.clock.now(),
    });
    expect((await world.db.payment.findUniqueOrThrow({ where: { id } })).status).toBe('FAILED');
    await world.travel(60);
    await mirror();
    expect(await now()).toEqual(cancelled);
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.cancelled']);
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription.id, sequence: 2 },
    });
    expect(event.data).toEqual({
      subscriptionId: subscription.address,
      customer: { email: 'ada@example.com', customerId: null, walletAddress: wallet.address },
      accessUntil: fromStart(DAY).toISOString(),
      cancellationReason: null,
      cancellationComment: null,
      metadata: {},
    });
  });

  it('does not stop a payment in flight: once landed, it is settled', async () => {
    const { id: paymentId, periodStart } = await payment('DUE');
    const signature = `submitted-${subscription.id}`;
    const transaction = await world.db.transferTransaction.create({
      data: {
        environment: 'TEST',
        signature,
        wire: Buffer.from('wire'),
        lastValidBlockHeight: 1n,
        createdAt: world.ctx.clock.now(),
      },
    });
    const attempt = await world.db.attempt.create({
      data: {
        paymentId,
        status: 'SUBMITTED',
        transactionId: transaction.id,
        createdAt: world.ctx.clock.now(),
      },
    });
    await cancel();
    const attemptNow = () => world.db.attempt.findUniqueOrThrow({ where: { id: attempt.id } });
    expect((await attemptNow()).status).toBe('SUBMITTED');
    const transfer = {
      signature,
      index: 0,
      slot: 1n,
      at: null,
      periodStart,
      amount: PRICE,
      subscription: subscription.address,
      plan: plan.address,
      puller: world.chain.collector.address,
    };
    await settleTransactions(world.ctx, 'TEST', [
      { signature, slot: 1n, feeLamports: 5_000n, transfers: [transfer] },
    ]);
    expect((await attemptNow()).status).toBe('SUCCEEDED');
    expect(await world.db.payment.findUniqueOrThrow({ where: { id: paymentId } })).toMatchObject({
      status: 'SUCCEEDED',
      number: 1,
    });
    expect(await now()).toMatchObject({ status: 'CANCELLED', nextAttemptAt: null, paymentCount: 1 });
  });

  it('of an overdue subscription ends the overdue payment', async () => {
    await payment('DUE');
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { status: 'PAST_DUE', failureCount: 1 },
    });
    await cancel();
    expect((await now()).status).toBe('CANCELLED');
    await resume();
    expect(await now()).toMatchObject({ status: 'ACTIVE', failureCount: 0, nextAttemptAt: fromStart(0) });
  });

  it('of an expired subscription changes nothing', async () => {
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { status: 'EXPIRED', nextAttemptAt: null },
    });
    const expired = await now();
    await cancel();
    await resume();
    expect(await now()).toEqual(expired);
  });
});

describe('a resumption on chain', () => {
  it('of an unpaid period makes that period due again', async () => {
    const { id } = await payment('DUE');
    await cancel();
    await world.travel(HOUR);
    await resume();
    expect(await now()).toMatchObject({
      status: 'ACTIVE',
      nextPaymentAt: fromStart(0),
      nextAttemptAt: fromStart(0),
      accessUntil: null,
      cancelledAt: null,
    });
    expect((await world.db.payment.findUniqueOrThrow({ where: { id } })).status).toBe('DUE');
    await mirror();
    expect(await world.eventsOf(subscription.id)).toEqual([
      'subscription.created',
      'subscription.cancelled',
      'subscription.resumed',
    ]);
    expect(await world.historyOf(subscription.id)).toEqual([
      'subscribed',
      'cancelled_on_chain',
      'resumed_on_chain',
    ]);
  });

  it('of a paid period makes the next one due', async () => {
    await payment('SUCCEEDED');
    await cancel();
    await resume();
    expect(await now()).toMatchObject({ nextPaymentAt: fromStart(DAY), nextAttemptAt: fromStart(DAY) });
  });

  it('does not collect the periods that passed', async () => {
    await world.travel(3 * DAY + HOUR);
    await cancel();
    expect((await now()).accessUntil).toEqual(fromStart(4 * DAY));
    await resume();
    expect((await now()).nextAttemptAt).toEqual(fromStart(3 * DAY));
  });

  it('and another cancellation are applied in turn', async () => {
    for (let round = 0; round < 3; round++) {
      await world.travel(60);
      await cancel();
      expect((await now()).status).toBe('CANCELLED');
      await world.travel(60);
      await resume();
      expect((await now()).status).toBe('ACTIVE');
    }
    const events = await world.db.event.findMany({
      where: { subscriptionId: subscription.id },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('that was missed together with its cancellation changes nothing', async () => {
    const before = await now();
    await world.onChain.cancel(wallet, plan);
    await resume();
    expect(await now()).toEqual(before);
  });

  it('does not undo a cancellation by the merchant', async () => {
    await cancelSubscription(world.ctx, merchant.scope, { subscription: subscription.address, when: 'NOW' });
    await cancel();
    await resume();
    expect((await now()).status).toBe('CANCELLED');
  });
});

describe('a closed account', () => {
  it('is a cancellation if the one on chain was missed', async () => {
    await closeUnseen();
    await mirror();
    await mirror();
    expect(await now()).toMatchObject({ status: 'CANCELLED', nextAttemptAt: null });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'delegation_closed']);
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription.id, sequence: 2 },
    });
    expect(event.data).toMatchObject({ accessUntil: null });
  });

  it('leaves access until the paid period ends', async () => {
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { nextPaymentAt: fromStart(5 * DAY), nextAttemptAt: fromStart(5 * DAY) },
    });
    await closeUnseen();
    await mirror();
    expect((await now()).accessUntil).toEqual(fromStart(5 * DAY));
  });

  it('is only recorded if the cancellation was seen', async () => {
    await cancel();
    const cancelled = await now();
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    await mirror();
    expect(await now()).toEqual({ ...cancelled, closedAt: expect.any(Date) });
  });
});

describe('an address that is used again', () => {
  const lives = () =>
    world.db.subscription.findMany({
      where: { address: subscription.address },
      orderBy: { chainCreatedAt: 'asc' },
    });

  it('is a new subscription, to which the address refers from then on', async () => {
    await cancel();
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    await mirror();
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    await mirror();
    expect(second.address).toBe(subscription.address);
    expect((await lives()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
    expect((await getSubscription(world.ctx, merchant.scope, second.address)).id).toBe(second.id);
    expect((await getSubscription(world.ctx, merchant.scope, subscription.id)).id).toBe(subscription.id);
  });

  it('is a new subscription also when it begins a whole number of periods after the first', async () => {
    await cancel();
    await world.travel(DAY);
    await world.onChain.close(wallet, plan);
    await mirror();
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    await mirror();
    expect((second.chainCreatedAt - subscription.chainCreatedAt) % BigInt(DAY)).toBe(0n);
    expect((await lives()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'cancelled_on_chain']);
  });

  it('ends the earlier subscription if its close was missed, and a late close ends nothing', async () => {
    const { slot } = await world.see(subscription.address);
    await closeUnseen();
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'delegation_closed']);
    await observeSubscription(world.ctx, 'TEST', address(second.address), null, slot + 2n);
    expect((await lives()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
  });

  it('ends the earlier subscription also when the new one has no checkout yet', async () => {
    await closeUnseen();
    const sessionId = await world.openSession(merchant, plan, { customerId: 'unfinished' });
    await world.approve(sessionId, plan, wallet);
    await world.db.checkoutSession.update({ where: { id: sessionId }, data: { walletAddress: null } });
    await mirror();
    expect((await lives()).map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  it('ignores states of the earlier subscription', async () => {
    await world.onChain.cancel(wallet, plan);
    const { data, slot } = await world.see(subscription.address);
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    const old = decodeSubscription(data ?? new Uint8Array());
    await observeSubscription(world.ctx, 'TEST', address(second.address), old, slot);
    expect((await lives()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
  });
});

it('a state older than the mirror’s is ignored', async () => {
  await world.onChain.cancel(wallet, plan);
  const { data, slot } = await world.see(subscription.address);
  await resume();
  const old = decodeSubscription(data ?? new Uint8Array());
  await observeSubscription(world.ctx, 'TEST', address(subscription.address), old, slot);
  expect((await now()).status).toBe('ACTIVE');
});

it('an account of no merchant here is ignored', async () => {
  const other = await world.newMerchant();
  const unknown = await world.publishPlan(other);
  const sessionId = await world.openSession(other, unknown);
  const { subscriptionPda } = await world.approve(sessionId, unknown, wallet);
  await world.db.checkoutSession.delete({ where: { id: sessionId } });
  await world.mirror(subscriptionPda);
  expect(await world.db.subscription.count({ where: { address: subscriptionPda } })).toBe(0);
});

describe('many at once', () => {
  const seen = async ({ address: target }: Pick<Subscription, 'address'>) => {
    const { data, slot } = await world.see(target);
    return { address: address(target), account: data && decodeSubscription(data), slot };
  };
  const statusOf = async ({ id }: Subscription) =>
    (await world.db.subscription.findUniqueOrThrow({ where: { id } })).status;

  /** `count` subscriptions, each of its own wallet. */
  async function more(count: number) {
    const made: { wallet: KeyPairSigner; subscription: Subscription }[] = [];
    for (let index = 0; index < count; index += 1) {
      const theirs = await world.newWallet();
      const input = { customerId: `${subscription.id} ${index}` };
      made.push({ wallet: theirs, subscription: await world.subscribe(merchant, plan, theirs, input) });
    }
    return made;
  }

  it('get the status of each, and record an event each', async () => {
    const [cancelled, resumed, same] = await more(3);
    if (!cancelled || !resumed || !same) throw new Error('Too few');
    await cancel();
    await world.onChain.cancel(resumed.wallet, plan);
    await world.mirror(resumed.subscription.address);
    await world.travel(60);
    await world.onChain.resume(resumed.wallet, plan);
    await world.onChain.cancel(cancelled.wallet, plan);
    const all = [subscription, ...[cancelled, resumed, same].map((each) => each.subscription)];
    const failures = await observeSubscriptions(world.ctx, 'TEST', await Promise.all(all.map(seen)));
    expect(failures).toEqual(new Map());
    expect(await Promise.all(all.map(statusOf))).toEqual(['CANCELLED', 'CANCELLED', 'ACTIVE', 'ACTIVE']);
    expect(await Promise.all(all.map(({ id }) => world.eventsOf(id)))).toEqual([
      ['subscription.created', 'subscription.cancelled'],
      ['subscription.created', 'subscription.cancelled'],
      ['subscription.created', 'subscription.cancelled', 'subscription.resumed'],
      ['subscription.created'],
    ]);
  });

  it('take as many statements as one', async () => {
    const made = await more(5);
    for (const { wallet: theirs } of made) await world.onChain.cancel(theirs, plan);
    const [one, ...rest] = await Promise.all(made.map((each) => seen(each.subscription)));
    // The relay is also notified, if the last notification is long enough ago.
    const observing = async (observations: Parameters<typeof observeSubscriptions>[2]) =>
      (await statementsOf(() => observeSubscriptions(world.ctx, 'TEST', observations)))
        .map(({ text }) => text)
        .filter((text) => /"(Subscription|ChainAccount|Payment|Event)/.test(text));
    const ofOne = await observing(one ? [one] : []);
    const ofMany = await observing(rest);
    expect(ofOne.length).toBeGreaterThan(3);
    expect(ofMany).toEqual(ofOne);
    for (const each of made) expect(await statusOf(each.subscription)).toBe('CANCELLED');
  });

  it('are not delayed by one that the database refuses', async () => {
    const [broken, fine] = await more(2);
    if (!broken || !fine) throw new Error('Too few');
    // The sequence of its next event is the first one again, which is refused.
    await world.db.subscription.update({ where: { id: broken.subscription.id }, data: { lastSequence: 0 } });
    for (const each of [broken, fine]) await world.onChain.cancel(each.wallet, plan);
    const observations = await Promise.all([broken, fine].map((each) => seen(each.subscription)));
    const failures = await observeSubscriptions(world.ctx, 'TEST', observations);
    expect([...failures.keys()]).toEqual([broken.subscription.address]);
    expect(await statusOf(broken.subscription)).toBe('ACTIVE');
    expect(await statusOf(fine.subscription)).toBe('CANCELLED');
  });
});

describe('a closed authority', () => {
  const closed = async ({ address: user } = wallet) => ({
    address: await authorityAddress(user, address(plan.mint)),
    user,
    slot: BigInt(world.network.slot('confirmed')),
  });

  it('ends every subscription that was made under it, once', async () => {
    const second = await world.publishPlan(merchant, { planId: `second-${subscription.id}` });
    const other = await world.subscribe(merchant, second, wallet);
    const stranger = await world.newWallet();
    const theirs = await world.subscribe(merchant, plan, stranger, { customerId: 'stranger' });
    await world.onChain.closeAuthority(wallet, plan);
    const seen = await closed();
    await observeAuthoritiesClosed(world.ctx, 'TEST', [seen]);
    await observeAuthoritiesClosed(world.ctx, 'TEST', [seen]);
    for (const { id } of [subscription, other]) {
      expect(await world.historyOf(id)).toEqual(['subscribed', 'authority_revoked']);
      expect(await world.eventsOf(id)).toEqual(['subscription.created', 'subscription.cancelled']);
    }
    expect(await world.historyOf(theirs.id)).toEqual(['subscribed']);
    await mirror();
    expect((await now()).status).toBe('CANCELLED');
  });

  it('does not end those made under the next one', async () => {
    await world.onChain.closeAuthority(wallet, plan);
    const seen = await closed();
    const second = await world.publishPlan(merchant, { planId: `next-${subscription.id}` });
    const next = await world.subscribe(merchant, second, wallet);
    await observeAuthoritiesClosed(world.ctx, 'TEST', [seen]);
    expect(await world.historyOf(next.id)).toEqual(['subscribed']);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'authority_revoked']);
  });

  it('with one subscription that cannot be ended is reported, and delays no other', async () => {
    const fine = await world.newWallet();
    const theirs = await world.subscribe(merchant, plan, fine, { customerId: 'fine' });
    for (const each of [wallet, fine]) await world.onChain.closeAuthority(each, plan);
    // The sequence of its next event is the first one again, which is refused.
    await world.db.subscription.update({ where: { id: subscription.id }, data: { lastSequence: 0 } });
    const both = [await closed(), await closed(fine)];
    const failures = await observeAuthoritiesClosed(world.ctx, 'TEST', both);
    expect([...failures.keys()]).toEqual([both[0]?.address]);
    expect((await now()).status).toBe('ACTIVE');
    expect(await world.historyOf(theirs.id)).toEqual(['subscribed', 'authority_revoked']);
    await expect(observeAuthorityClosed(world.ctx, 'TEST', await closed())).rejects.toThrow();
  });

  it('with one subscription that cannot be read is reported, and delays no other', async () => {
    const fine = await world.newWallet();
    const theirs = await world.subscribe(merchant, plan, fine, { customerId: 'fine as well' });
    const unreadable = { lamports: 1_000_000n, owner: PROGRAM, data: Uint8Array.of(4), executable: false };
    world.network.setAccount(address(subscription.address), unreadable);
    await world.onChain.closeAuthority(fine, plan);
    const both = [await closed(), await closed(fine)];
    const failures = await observeAuthoritiesClosed(world.ctx, 'TEST', both);
    expect([...failures]).toEqual([[both[0]?.address, expect.any(AccountLayoutError)]]);
    expect((await now()).status).toBe('ACTIVE');
    expect(await world.historyOf(theirs.id)).toEqual(['subscribed', 'authority_revoked']);
  });

  it('of another asset ends nothing', async () => {
    const elsewhere = { ...(await closed()), address: address(plan.mint) };
    await observeAuthoritiesClosed(world.ctx, 'TEST', [elsewhere]);
    expect((await now()).status).toBe('ACTIVE');
  });
});
