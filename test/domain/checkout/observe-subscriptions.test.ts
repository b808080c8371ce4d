import { type Address, address, type KeyPairSigner } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AccountLayoutError,
  decodeSubscription,
  type SubscriptionAccount,
} from '../../../src/chain/accounts/accounts.ts';
import { authorityAddress, PROGRAM } from '../../../src/chain/accounts/addresses.ts';
import { NodeBehind } from '../../../src/chain/rpc/as-of.ts';
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
} from '../../../src/domain/checkout/completion/observe-subscriptions.ts';
import { findPossibleDuplicates } from '../../../src/domain/checkout/completion/record-duplicate.ts';
import type { Subscription } from '../../../src/generated/prisma/client.ts';
import { recordStatements } from '../../../tools/statements.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, startWorld } from '../world.ts';

let wallet: KeyPairSigner;
let subscription: Subscription;
const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);
beforeEach(async () => {
  wallet = await world.newWallet();
  subscription = await world.subscribe(merchant, plan, wallet);
});

const readSubscription = () => world.db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
const afterStart = (seconds: number) => new Date(subscription.startedAt.getTime() + seconds * 1000);
const mirror = () => world.mirror(subscription.address);
const cancel = async () => {
  await world.onChain.cancel(wallet, plan);
  await mirror();
};
const resume = async () => {
  await world.onChain.resume(wallet, plan);
  await mirror();
};

/** Writes the payment of the period that starts `offsetSeconds` after the subscription. */
async function createPayment(status: 'DUE' | 'SUCCEEDED', offsetSeconds = 0) {
  const paid = { number: 1, signature: `paid-${subscription.id}`, paidAt: world.ctx.clock.now() };
  return world.db.payment.create({
    data: {
      ...merchant.scope,
      subscriptionId: subscription.id,
      periodStart: subscription.chainCreatedAt + BigInt(offsetSeconds),
      dueAt: afterStart(offsetSeconds),
      amount: PRICE,
      status,
      ...(status === 'SUCCEEDED' && paid),
    },
  });
}

/** Closes the subscription on chain without updating the mirror. */
async function closeWithoutMirror(afterSeconds = DAY + 17): Promise<void> {
  await world.onChain.cancel(wallet, plan);
  await world.travel(afterSeconds);
  await world.onChain.close(wallet, plan);
}

describe('a cancellation on chain', () => {
  it('stops collection, gives no access to a period that is not paid, as one event', async () => {
    const { id } = await createPayment('DUE');
    await cancel();
    const cancelled = await readSubscription();
    expect(cancelled).toMatchObject({
      status: 'CANCELLED',
      accessUntil: world.ctx.clock.now(),
      nextAttemptAt: null,
      cancelledAt: world.ctx.clock.now(),
    });
    expect((await world.db.payment.findUniqueOrThrow({ where: { id } })).status).toBe('FAILED');
    await world.travel(60);
    await mirror();
    expect(await readSubscription()).toEqual(cancelled);
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.cancelled']);
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription.id, sequence: 2 },
    });
    expect(event.data).toEqual({
      subscriptionId: subscription.address,
      startedAt: subscription.startedAt.toISOString(),
      customer: { email: 'ada@example.com', customerId: null, walletAddress: wallet.address },
      accessUntil: null,
      cancellationReason: null,
      cancellationComment: null,
      metadata: {},
    });
  });

  it.each([
    ['trial', 12],
    ['paid period', 36],
  ])('gives no access after a %s that ends before the chain’s period', async (_, hours) => {
    const nextPaymentAt = afterStart(hours * HOUR);
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { anchorOffsetSeconds: 12 * HOUR, nextPaymentAt, nextAttemptAt: nextPaymentAt },
    });
    await world.travel((hours - 6) * HOUR);
    await cancel();
    expect((await readSubscription()).accessUntil).toEqual(nextPaymentAt);
    await world.travel(60);
    await mirror();
    expect((await readSubscription()).accessUntil).toEqual(nextPaymentAt);
  });

  it('does not stop a payment in flight, which is settled when it lands', async () => {
    const { id: paymentId, periodStart } = await createPayment('DUE');
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
    const readAttempt = () => world.db.attempt.findUniqueOrThrow({ where: { id: attempt.id } });
    expect((await readAttempt()).status).toBe('SUBMITTED');
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
    expect((await readAttempt()).status).toBe('SUCCEEDED');
    expect(await world.db.payment.findUniqueOrThrow({ where: { id: paymentId } })).toMatchObject({
      status: 'SUCCEEDED',
      number: 1,
    });
    expect(await readSubscription()).toMatchObject({
      status: 'CANCELLED',
      nextAttemptAt: null,
      paymentCount: 1,
    });
  });

  it('of a past due subscription cancels it, and a resumption resets its failures', async () => {
    await createPayment('DUE');
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { status: 'PAST_DUE', failureCount: 1 },
    });
    await cancel();
    expect((await readSubscription()).status).toBe('CANCELLED');
    await resume();
    expect(await readSubscription()).toMatchObject({
      status: 'ACTIVE',
      failureCount: 0,
      nextAttemptAt: afterStart(0),
    });
  });

  it('of an expired subscription changes nothing', async () => {
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { status: 'EXPIRED', nextAttemptAt: null },
    });
    const expired = await readSubscription();
    await cancel();
    await resume();
    expect(await readSubscription()).toEqual(expired);
  });
});

describe('a resumption on chain', () => {
  it('of an unpaid period makes that period due again', async () => {
    const { id } = await createPayment('DUE');
    await cancel();
    await world.travel(HOUR);
    await resume();
    expect(await readSubscription()).toMatchObject({
      status: 'ACTIVE',
      nextPaymentAt: afterStart(0),
      nextAttemptAt: afterStart(0),
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
    await createPayment('SUCCEEDED');
    await cancel();
    await resume();
    expect(await readSubscription()).toMatchObject({
      nextPaymentAt: afterStart(DAY),
      nextAttemptAt: afterStart(DAY),
    });
  });

  it('does not collect the periods that passed', async () => {
    await world.travel(3 * DAY + HOUR);
    await cancel();
    expect((await readSubscription()).accessUntil).toEqual(world.ctx.clock.now());
    await resume();
    expect((await readSubscription()).nextAttemptAt).toEqual(afterStart(3 * DAY));
  });

  it('and another cancellation are applied one after the other', async () => {
    for (let round = 0; round < 3; round++) {
      await world.travel(60);
      await cancel();
      expect((await readSubscription()).status).toBe('CANCELLED');
      await world.travel(60);
      await resume();
      expect((await readSubscription()).status).toBe('ACTIVE');
    }
    const events = await world.db.event.findMany({
      where: { subscriptionId: subscription.id },
      orderBy: { sequence: 'asc' },
    });
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('that was missed together with its cancellation changes nothing', async () => {
    const before = await readSubscription();
    await world.onChain.cancel(wallet, plan);
    await resume();
    expect(await readSubscription()).toEqual(before);
  });

  it('does not undo a cancellation by the merchant', async () => {
    await cancelSubscription(world.ctx, merchant.scope, { subscription: subscription.address, when: 'NOW' });
    await cancel();
    await resume();
    expect((await readSubscription()).status).toBe('CANCELLED');
  });
});

describe('a closed account', () => {
  it('is a cancellation if the one on chain was missed', async () => {
    await closeWithoutMirror();
    await mirror();
    await mirror();
    expect(await readSubscription()).toMatchObject({ status: 'CANCELLED', nextAttemptAt: null });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'delegation_closed']);
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription.id, sequence: 2 },
    });
    expect(event.data).toMatchObject({ accessUntil: null });
  });

  it('leaves access until the paid period ends', async () => {
    await world.db.subscription.update({
      where: { id: subscription.id },
      data: { nextPaymentAt: afterStart(5 * DAY), nextAttemptAt: afterStart(5 * DAY) },
    });
    await closeWithoutMirror();
    await mirror();
    expect((await readSubscription()).accessUntil).toEqual(afterStart(5 * DAY));
  });

  it('is only recorded if the cancellation was already observed', async () => {
    await cancel();
    const cancelled = await readSubscription();
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    await mirror();
    expect(await readSubscription()).toEqual({ ...cancelled, closedAt: expect.any(Date) });
  });
});

describe('an address that is used again', () => {
  const subscriptionsThere = () =>
    world.db.subscription.findMany({
      where: { address: subscription.address },
      orderBy: { chainCreatedAt: 'asc' },
    });

  it('has a new subscription, which the address names from then on', async () => {
    await cancel();
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    await mirror();
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    await mirror();
    expect(second.address).toBe(subscription.address);
    expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
    expect((await getSubscription(world.ctx, merchant.scope, second.address)).id).toBe(second.id);
    expect((await getSubscription(world.ctx, merchant.scope, subscription.id)).id).toBe(subscription.id);
  });

  it('has a new subscription even if it begins whole periods after the first', async () => {
    await cancel();
    await world.travel(DAY);
    await world.onChain.close(wallet, plan);
    await mirror();
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    await mirror();
    expect((second.chainCreatedAt - subscription.chainCreatedAt) % BigInt(DAY)).toBe(0n);
    expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'cancelled_on_chain']);
  });

  it.each([
    ['between two periods', DAY + 17],
    ['whole periods after the first', DAY],
  ])('created %s ends the earlier one if its close was missed', async (_, afterSeconds) => {
    const { slot } = await world.see(subscription.address);
    await closeWithoutMirror(afterSeconds);
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'delegation_closed']);
    // A late close ends nothing.
    await observeSubscription(world.ctx, 'TEST', address(second.address), null, slot + 2n);
    expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
  });

  it.each([
    ['between two periods', DAY + 17],
    ['whole periods after the first', DAY],
  ])('created %s and without a checkout ends the earlier one too', async (_, afterSeconds) => {
    await closeWithoutMirror(afterSeconds);
    const sessionId = await world.openSession(merchant, plan, { customerId: 'unfinished' });
    await world.approve(sessionId, plan, wallet);
    await world.db.checkoutSession.update({ where: { id: sessionId }, data: { walletAddress: null } });
    await mirror();
    expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  it('is not resumed by a new subscription that begins whole periods after it', async () => {
    await cancel();
    await world.travel(DAY);
    await world.onChain.close(wallet, plan);
    const sessionId = await world.openSession(merchant, plan, { customerId: 'unfinished' });
    await world.approve(sessionId, plan, wallet);
    await world.db.checkoutSession.update({ where: { id: sessionId }, data: { walletAddress: null } });
    await mirror();
    expect(await readSubscription()).toMatchObject({ status: 'CANCELLED', closedAt: world.ctx.clock.now() });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'cancelled_on_chain']);
  });

  it('ignores late observations of the earlier subscription', async () => {
    await world.onChain.cancel(wallet, plan);
    const { data, slot } = await world.see(subscription.address);
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    const second = await world.subscribe(merchant, plan, wallet, { customerId: 'again' });
    const old = decodeSubscription(data ?? new Uint8Array());
    await observeSubscription(world.ctx, 'TEST', address(second.address), old, slot);
    expect((await subscriptionsThere()).map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
  });
});

describe('while the only node is behind', () => {
  const setKnownSlot = (ahead: bigint) => {
    const slot = BigInt(world.network.slot('confirmed')) + ahead;
    const where = { environment: 'TEST' } as const;
    return world.db.streamPosition.upsert({
      where,
      create: { ...where, slot, updatedAt: world.ctx.clock.now() },
      update: { slot },
    });
  };
  const observeClose = () => {
    const slot = BigInt(world.network.slot('confirmed'));
    return observeSubscription(world.ctx, 'TEST', address(subscription.address), null, slot);
  };
  afterEach(() => world.db.streamPosition.deleteMany());

  it('a close ends a subscription that was created long before', async () => {
    await closeWithoutMirror();
    await setKnownSlot(500n);
    await observeClose();
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'delegation_closed']);
  });

  it('a close ends no subscription if the node is very far behind', async () => {
    await closeWithoutMirror();
    await setKnownSlot(700n);
    await expect(observeClose()).rejects.toThrow(NodeBehind);
    expect((await readSubscription()).status).toBe('ACTIVE');
  });
});

it('an observation older than the mirror is ignored', async () => {
  await world.onChain.cancel(wallet, plan);
  const { data, slot } = await world.see(subscription.address);
  await resume();
  const old = decodeSubscription(data ?? new Uint8Array());
  await observeSubscription(world.ctx, 'TEST', address(subscription.address), old, slot);
  expect((await readSubscription()).status).toBe('ACTIVE');
});

it('an account without a checkout is ignored', async () => {
  const other = await world.newMerchant();
  const unknown = await world.publishPlan(other);
  const sessionId = await world.openSession(other, unknown);
  const { subscriptionPda } = await world.approve(sessionId, unknown, wallet);
  await world.db.checkoutSession.delete({ where: { id: sessionId } });
  await world.mirror(subscriptionPda);
  expect(await world.db.subscription.count({ where: { address: subscriptionPda } })).toBe(0);
});

describe('an account whose wallet requested a session that another wallet completed', () => {
  let account: SubscriptionAccount;
  const seen = (ageSeconds: number) => ({
    ...account,
    periodStart: BigInt(Math.floor(world.ctx.clock.now().getTime() / 1000) - ageSeconds),
  });
  // The node lists no transaction of this address.
  const observeUnlisted = (ageSeconds: number) =>
    observeSubscription(world.ctx, 'TEST', plan.address as Address, seen(ageSeconds), 1n);

  beforeEach(async () => {
    const other = await world.newWallet();
    const { data } = await world.see(subscription.address);
    account = { ...decodeSubscription(data ?? new Uint8Array()), subscriber: other.address };
    await world.db.checkoutSession.updateMany({
      where: { subscriptionId: subscription.id },
      data: { earlierWallets: [other.address] },
    });
  });

  it('is read again while the node may not list its creation yet, and is ignored later', async () => {
    await expect(observeUnlisted(60)).rejects.toThrow('No transaction found');
    await observeUnlisted(HOUR);
  });

  it('is not compared again when it is recorded', async () => {
    const row = { merchantId: merchant.scope.merchantId, planId: plan.id, signature: 'creation' };
    const key = { environment: 'TEST', address: plan.address } as const;
    const first = { sessionId: 'cs_first', walletAddress: account.subscriber };
    await world.db.duplicateSubscription.create({
      data: { ...row, ...key, ...first, createdAt: world.ctx.clock.now() },
    });
    await observeUnlisted(60);
    await world.db.duplicateSubscription.deleteMany();
  });

  it('is found beside another one with very many such sessions', async () => {
    const crowded = await world.newWallet();
    await world.db.$executeRaw`
      INSERT INTO "CheckoutSession" SELECT (jsonb_populate_record(c, jsonb_build_object(
        'id', 'cs_crowded' || n, 'earlierWallets', jsonb_build_array(${crowded.address}::text),
        'completedAt', c."completedAt" + interval '1 day'))).*
      FROM "CheckoutSession" c, generate_series(1, 250) n WHERE c."subscriptionId" = ${subscription.id}::uuid`;
    const candidates = [account, { ...account, subscriber: crowded.address }].map((candidate) => ({
      address: candidate.subscriber,
      account: candidate,
      slot: 1n,
    }));
    const found = await findPossibleDuplicates(world.ctx, 'TEST', candidates);
    expect(found.map(({ seen: { address: found } }) => found).sort()).toEqual(
      candidates.map(({ address: candidate }) => candidate).sort(),
    );
  });
});

describe('many observations together', () => {
  const observe = async ({ address: target }: Pick<Subscription, 'address'>) => {
    const { data, slot } = await world.see(target);
    return { address: address(target), account: data && decodeSubscription(data), slot };
  };
  const statusOf = async ({ id }: Subscription) =>
    (await world.db.subscription.findUniqueOrThrow({ where: { id } })).status;

  /** Creates `count` subscriptions, each with its own wallet. */
  async function subscribeWallets(count: number) {
    const subscribers: { wallet: KeyPairSigner; subscription: Subscription }[] = [];
    for (let index = 0; index < count; index += 1) {
      const payer = await world.newWallet();
      const input = { customerId: `${subscription.id} ${index}` };
      subscribers.push({ wallet: payer, subscription: await world.subscribe(merchant, plan, payer, input) });
    }
    return subscribers;
  }

  it('each change the status of their subscription, and record its event', async () => {
    const [cancelled, resumed, unchanged] = await subscribeWallets(3);
    if (!cancelled || !resumed || !unchanged) throw new Error('Too few');
    await cancel();
    await world.onChain.cancel(resumed.wallet, plan);
    await world.mirror(resumed.subscription.address);
    await world.travel(60);
    await world.onChain.resume(resumed.wallet, plan);
    await world.onChain.cancel(cancelled.wallet, plan);
    const all = [
      subscription,
      ...[cancelled, resumed, unchanged].map((subscriber) => subscriber.subscription),
    ];
    const failures = await observeSubscriptions(world.ctx, 'TEST', await Promise.all(all.map(observe)));
    expect(failures).toEqual(new Map());
    expect(await Promise.all(all.map(statusOf))).toEqual(['CANCELLED', 'CANCELLED', 'ACTIVE', 'ACTIVE']);
    expect(await Promise.all(all.map(({ id }) => world.eventsOf(id)))).toEqual([
      ['subscription.created', 'subscription.cancelled'],
      ['subscription.created', 'subscription.cancelled'],
      ['subscription.created', 'subscription.cancelled', 'subscription.resumed'],
      ['subscription.created'],
    ]);
  });

  it('take as many statements as a single one', async () => {
    const subscribers = await subscribeWallets(5);
    for (const subscriber of subscribers) await world.onChain.cancel(subscriber.wallet, plan);
    const [first, ...others] = await Promise.all(
      subscribers.map((subscriber) => observe(subscriber.subscription)),
    );
    // The filter leaves out the notification of the relay, which is not sent if one was just sent.
    const tableStatementsOf = async (observations: Parameters<typeof observeSubscriptions>[2]) =>
      (await recordStatements(() => observeSubscriptions(world.ctx, 'TEST', observations)))
        .map(({ text }) => text)
        .filter((text) => /"(Subscription|ChainAccount|Payment|Event)/.test(text));
    const ofOne = await tableStatementsOf(first ? [first] : []);
    const ofMany = await tableStatementsOf(others);
    expect(ofOne.length).toBeGreaterThan(3);
    expect(ofMany).toEqual(ofOne);
    for (const subscriber of subscribers) expect(await statusOf(subscriber.subscription)).toBe('CANCELLED');
  });

  it('are not delayed by one that the database refuses', async () => {
    const [broken, healthy] = await subscribeWallets(2);
    if (!broken || !healthy) throw new Error('Too few');
    // Its next event would have the sequence of its first one, which the database refuses.
    await world.db.subscription.update({ where: { id: broken.subscription.id }, data: { lastSequence: 0 } });
    for (const subscriber of [broken, healthy]) await world.onChain.cancel(subscriber.wallet, plan);
    const observations = await Promise.all(
      [broken, healthy].map((subscriber) => observe(subscriber.subscription)),
    );
    const failures = await observeSubscriptions(world.ctx, 'TEST', observations);
    expect([...failures.keys()]).toEqual([broken.subscription.address]);
    expect(await statusOf(broken.subscription)).toBe('ACTIVE');
    expect(await statusOf(healthy.subscription)).toBe('CANCELLED');
  });
});

describe('a closed authority', () => {
  const observeClosed = async ({ address: user } = wallet) => ({
    address: await authorityAddress(user, address(plan.mint)),
    user,
    slot: BigInt(world.network.slot('confirmed')),
  });

  it('ends every subscription that was created under it, once', async () => {
    const second = await world.publishPlan(merchant, { planId: `second-${subscription.id}` });
    const other = await world.subscribe(merchant, second, wallet);
    const stranger = await world.newWallet();
    const otherSubscription = await world.subscribe(merchant, plan, stranger, { customerId: 'stranger' });
    await world.onChain.closeAuthority(wallet, plan);
    const closedAuthority = await observeClosed();
    await observeAuthoritiesClosed(world.ctx, 'TEST', [closedAuthority]);
    await observeAuthoritiesClosed(world.ctx, 'TEST', [closedAuthority]);
    for (const { id } of [subscription, other]) {
      expect(await world.historyOf(id)).toEqual(['subscribed', 'authority_revoked']);
      expect(await world.eventsOf(id)).toEqual(['subscription.created', 'subscription.cancelled']);
    }
    expect(await world.historyOf(otherSubscription.id)).toEqual(['subscribed']);
    await mirror();
    expect((await readSubscription()).status).toBe('CANCELLED');
  });

  it('does not end subscriptions that were created under the next authority', async () => {
    await world.onChain.closeAuthority(wallet, plan);
    const closedAuthority = await observeClosed();
    const second = await world.publishPlan(merchant, { planId: `next-${subscription.id}` });
    const next = await world.subscribe(merchant, second, wallet);
    await observeAuthoritiesClosed(world.ctx, 'TEST', [closedAuthority]);
    expect(await world.historyOf(next.id)).toEqual(['subscribed']);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'authority_revoked']);
  });

  it('with one subscription that cannot be ended is reported, and delays no other', async () => {
    const healthy = await world.newWallet();
    const otherSubscription = await world.subscribe(merchant, plan, healthy, { customerId: 'fine' });
    for (const user of [wallet, healthy]) await world.onChain.closeAuthority(user, plan);
    // Its next event would have the sequence of its first one, which the database refuses.
    await world.db.subscription.update({ where: { id: subscription.id }, data: { lastSequence: 0 } });
    const authorities = [await observeClosed(), await observeClosed(healthy)];
    const failures = await observeAuthoritiesClosed(world.ctx, 'TEST', authorities);
    expect([...failures.keys()]).toEqual([authorities[0]?.address]);
    expect((await readSubscription()).status).toBe('ACTIVE');
    expect(await world.historyOf(otherSubscription.id)).toEqual(['subscribed', 'authority_revoked']);
    await expect(observeAuthorityClosed(world.ctx, 'TEST', await observeClosed())).rejects.toThrow();
  });

  it('with one subscription that cannot be read is reported, and delays no other', async () => {
    const healthy = await world.newWallet();
    const otherSubscription = await world.subscribe(merchant, plan, healthy, { customerId: 'fine as well' });
    const unreadable = { lamports: 1_000_000n, owner: PROGRAM, data: Uint8Array.of(4), executable: false };
    world.network.setAccount(address(subscription.address), unreadable);
    await world.onChain.closeAuthority(healthy, plan);
    const authorities = [await observeClosed(), await observeClosed(healthy)];
    const failures = await observeAuthoritiesClosed(world.ctx, 'TEST', authorities);
    expect([...failures]).toEqual([[authorities[0]?.address, expect.any(AccountLayoutError)]]);
    expect((await readSubscription()).status).toBe('ACTIVE');
    expect(await world.historyOf(otherSubscription.id)).toEqual(['subscribed', 'authority_revoked']);
  });

  it('of another asset ends nothing', async () => {
    const otherAuthority = { ...(await observeClosed()), address: address(plan.mint) };
    await observeAuthoritiesClosed(world.ctx, 'TEST', [otherAuthority]);
    expect((await readSubscription()).status).toBe('ACTIVE');
  });
});
