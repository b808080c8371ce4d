import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelSubscription } from '../../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { completeCheckout } from '../../../src/domain/checkout/completion/complete-checkout.ts';
import { expireSessions } from '../../../src/domain/checkout/session/expire-sessions.ts';
import { getPublicSession } from '../../../src/domain/checkout/session/get-checkout-session.ts';
import { transactionsToSign } from '../../../src/domain/checkout/signing/transactions-to-sign.ts';
import type { Subscription } from '../../../src/generated/prisma/client.ts';
import { recordStatements } from '../../../tools/statements.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, HOUR, invalid, PRICE, refusal, startWorld } from '../world.ts';

let wallet: KeyPairSigner;
let subscription: Subscription;

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);
beforeEach(async () => {
  wallet = await world.newWallet();
  subscription = await world.subscribe(merchant, plan, wallet, { metadata: { visit: 'first' } });
});

const readSubscription = () => world.db.subscription.findUniqueOrThrow({ where: { id: subscription.id } });
const countAtAddress = () => world.db.subscription.count({ where: { address: subscription.address } });
const dueAtOf = (index: number) => new Date(subscription.startedAt.getTime() + index * DAY * 1000);

/** Sets the state after too many failures. */
async function expire() {
  const data = { status: 'EXPIRED', nextAttemptAt: null, failureCount: 3 } as const;
  await world.db.subscription.update({ where: { id: subscription.id }, data });
}

const cancelAsMerchant = () =>
  cancelSubscription(world.ctx, merchant.scope, { subscription: subscription.id, when: 'NOW' });

/** Signs the transaction of a new checkout of the same wallet. */
async function comeBack(input = {}) {
  const sessionId = await world.openSession(merchant, plan, { metadata: { visit: 'second' }, ...input });
  return { sessionId, approved: await world.approve(sessionId, plan, wallet) };
}

/** What a new checkout says that the wallet pays now and next. */
async function readAhead() {
  const sessionId = await world.openSession(merchant, plan, { customerId: crypto.randomUUID() });
  const { dueNow, nextPaymentAt, trialSeconds } = await transactionsToSign(world.ctx, sessionId, {
    userWallet: wallet.address,
  });
  return { dueNow, nextPaymentAt, trialSeconds };
}

async function createPayment(index: number, status: 'FAILED' | 'SUCCEEDED') {
  const paid = { number: 1, signature: `paid-${subscription.id}`, paidAt: world.ctx.clock.now() };
  return world.db.payment.create({
    data: {
      ...merchant.scope,
      subscriptionId: subscription.id,
      periodStart: BigInt(dueAtOf(index).getTime() / 1000),
      dueAt: dueAtOf(index),
      amount: PRICE,
      status,
      ...(status === 'SUCCEEDED' ? paid : {}),
    },
  });
}

describe('a wallet whose subscription has ended in dues and is open on chain', () => {
  it('reactivates the subscription through a new checkout, with the current period due', async () => {
    await expire();
    await world.travel(3 * DAY + HOUR);
    const { sessionId, approved } = await comeBack({ customerEmail: 'new@example.com' });
    expect(approved.subscriptionPda).toBe(subscription.address);
    const statements = await recordStatements(async () =>
      expect(await completeCheckout(world.ctx, sessionId, approved)).toMatchObject({ status: 'COMPLETED' }),
    );
    // The price is written once, before its revenue is counted.
    expect(statements.filter(({ text }) => /^UPDATE .*Subscription".*"priceId" = /.test(text))).toHaveLength(
      1,
    );
    expect(await countAtAddress()).toBe(1);
    expect(await readSubscription()).toMatchObject({
      status: 'ACTIVE',
      failureCount: 0,
      chainCreatedAt: subscription.chainCreatedAt,
      nextPaymentAt: dueAtOf(3),
      nextAttemptAt: dueAtOf(3),
      metadata: { visit: 'second' },
    });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'reactivated']);
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.created']);
    const event = await world.db.event.findFirstOrThrow({
      where: { subscriptionId: subscription.id, sequence: 2 },
    });
    expect(event.data).toMatchObject({
      sessionId,
      subscriptionId: subscription.address,
      customer: { email: 'new@example.com' },
      metadata: { visit: 'second' },
    });
    expect(await completeCheckout(world.ctx, sessionId, approved)).toMatchObject({ status: 'COMPLETED' });
    expect(await world.eventsOf(subscription.id)).toHaveLength(2);
  });

  it('is told that a paid period costs nothing and an unpaid one its price', async () => {
    await createPayment(0, 'SUCCEEDED');
    await cancelAsMerchant();
    expect(await readAhead()).toEqual({ dueNow: 0n, nextPaymentAt: dueAtOf(1), trialSeconds: 0 });
    const paid = await comeBack();
    await completeCheckout(world.ctx, paid.sessionId, paid.approved);
    expect(await readSubscription()).toMatchObject({
      nextPaymentAt: dueAtOf(1),
      accessUntil: null,
      cancelledAt: null,
    });

    await world.travel(DAY);
    const givenUp = await createPayment(1, 'FAILED');
    await cancelAsMerchant();
    expect(await readAhead()).toEqual({ dueNow: PRICE, nextPaymentAt: dueAtOf(2), trialSeconds: 0 });
    const unpaid = await comeBack({ customerId: 'again' });
    await completeCheckout(world.ctx, unpaid.sessionId, unpaid.approved);
    expect(await readSubscription()).toMatchObject({ status: 'ACTIVE', nextPaymentAt: dueAtOf(1) });
    const payment = await world.db.payment.findUniqueOrThrow({ where: { id: givenUp.id } });
    expect(payment.status).toBe('DUE');
  });

  it('signs the reactivation and a new approval together', async () => {
    await expire();
    await world.revoke(wallet, plan);
    expect(await world.delegateOf(wallet, plan)).toBeNull();
    await comeBack();
    expect(await world.delegateOf(wallet, plan)).not.toBeNull();
  });

  it('resumes on chain in the same transaction', async () => {
    await cancelAsMerchant();
    await world.onChain.cancel(wallet, plan);
    await world.mirror(subscription.address);
    const { sessionId, approved } = await comeBack();
    await completeCheckout(world.ctx, sessionId, approved);
    await world.mirror(subscription.address);
    expect((await readSubscription()).status).toBe('ACTIVE');
    expect(await world.historyOf(subscription.id)).toEqual([
      'subscribed',
      'cancelled_by_merchant',
      'reactivated',
    ]);
  });

  it('reactivates it, whether the app or the mirror reports the resumption first', async () => {
    await world.onChain.cancel(wallet, plan);
    await world.mirror(subscription.address);
    expect((await readSubscription()).status).toBe('CANCELLED');
    const { sessionId, approved } = await comeBack();
    await world.mirror(subscription.address);
    expect((await readSubscription()).status).toBe('ACTIVE');
    await completeCheckout(world.ctx, sessionId, approved);
    const { nextPaymentAt, metadata } = await readSubscription();
    expect([nextPaymentAt, metadata]).toEqual([dueAtOf(0), { visit: 'second' }]);
    expect(await world.eventsOf(subscription.id)).toEqual([
      ...['subscription.created', 'subscription.cancelled'],
      ...['subscription.resumed', 'subscription.created'],
    ]);
  });

  it('reactivates it even if its app stops after signing', async () => {
    await expire();
    const { sessionId } = await comeBack();
    await world.mirror(subscription.address);
    expect((await getPublicSession(world.ctx, sessionId)).status).toBe('COMPLETED');
    expect((await readSubscription()).status).toBe('ACTIVE');
    await world.mirror(subscription.address);
    expect(await world.eventsOf(subscription.id)).toHaveLength(2);
  });

  it('reactivates it once by concurrent calls', async () => {
    await expire();
    const { sessionId, approved } = await comeBack();
    const calls = Array.from({ length: 5 }, () => completeCheckout(world.ctx, sessionId, approved));
    const outcomes = await Promise.allSettled([...calls, world.mirror(subscription.address)]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'reactivated']);
    expect(await world.eventsOf(subscription.id)).toHaveLength(2);
  });
});

describe('a reactivation is refused', () => {
  it('while the subscription is collected from', async () => {
    const sessionId = await world.openSession(merchant, plan, { customerId: 'second account' });
    const requested = transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    expect(await refusal(requested)).toEqual(invalid('userWallet'));
  });

  it('for a checkout that was not signed, or with an unrelated signature', async () => {
    await expire();
    const { approved } = await comeBack();
    const other = await world.openSession(merchant, plan, { customerId: 'other' });
    expect(await refusal(completeCheckout(world.ctx, other, approved))).toEqual(invalid('signature'));
    const unmarked = await world.onChain.cancel(wallet, plan);
    const presented = { ...approved, signature: unmarked };
    expect(await refusal(completeCheckout(world.ctx, other, presented))).toEqual(invalid('signature'));
    expect((await readSubscription()).status).toBe('EXPIRED');
  });

  it('for a second session', async () => {
    await expire();
    const [first, second] = [await comeBack(), await comeBack({ customerId: 'other' })];
    await completeCheckout(world.ctx, first.sessionId, first.approved);
    expect(await refusal(completeCheckout(world.ctx, second.sessionId, second.approved))).toEqual(
      invalid('subscriptionPda'),
    );
  });

  describe('with a transaction that landed before the subscription last ended', () => {
    let unused: Awaited<ReturnType<typeof comeBack>>;
    beforeEach(async () => {
      await expire();
      const first = await comeBack();
      unused = await comeBack({ customerId: 'other tab' });
      await completeCheckout(world.ctx, first.sessionId, first.approved);
      await cancelAsMerchant();
    });
    const completeUnused = () => completeCheckout(world.ctx, unused.sessionId, unused.approved);

    it('from the app at any time', async () => {
      expect(await refusal(completeUnused())).toEqual(invalid('signature'));
      await world.travel(5 * DAY);
      await expireSessions(world.ctx);
      expect(await refusal(completeUnused())).toMatchObject({ code: 'session_expired' });
      expect((await readSubscription()).status).toBe('CANCELLED');
    });

    it('from the mirror, even if a later transaction names the account', async () => {
      await world.mirror(subscription.address);
      expect((await readSubscription()).status).toBe('CANCELLED');
      await world.travel(5 * DAY);
      await expireSessions(world.ctx);
      await world.mirror(subscription.address);
      expect((await readSubscription()).status).toBe('CANCELLED');
    });

    it('but not with a new transaction of the same session', async () => {
      const renewed = await world.approve(unused.sessionId, plan, wallet);
      expect(renewed.signature).not.toBe(unused.approved.signature);
      await completeCheckout(world.ctx, unused.sessionId, renewed);
      expect((await readSubscription()).status).toBe('ACTIVE');
    });
  });

  it('with an earlier transaction, if the current one is unknown to dues', async () => {
    await expire();
    const { sessionId, approved } = await comeBack();
    await world.onChain.cancel(wallet, plan);
    await world.travel(DAY + 17);
    await world.onChain.close(wallet, plan);
    await world.approveUnmarked(merchant, plan, wallet);
    await expireSessions(world.ctx);
    const late = completeCheckout(world.ctx, sessionId, approved);
    expect(await refusal(late)).toMatchObject({ code: 'session_expired' });
    expect(await countAtAddress()).toBe(1);
  });

  it('after its authority was closed, because that subscription can never pay again', async () => {
    await expire();
    await world.onChain.closeAuthority(wallet, plan);
    const sessionId = await world.openSession(merchant, plan, { customerId: 'closed' });
    const requested = transactionsToSign(world.ctx, sessionId, { userWallet: wallet.address });
    expect(await refusal(requested)).toEqual(invalid('userWallet'));
  });
});

describe('a wallet whose cancelled subscription has ended on chain too', () => {
  it('subscribes again in one transaction, which first closes the old account', async () => {
    await world.onChain.cancel(wallet, plan);
    await world.mirror(subscription.address);
    await world.travel(DAY + 17);
    const { sessionId, approved } = await comeBack();
    await completeCheckout(world.ctx, sessionId, approved);
    const rows = await world.db.subscription.findMany({
      where: { address: subscription.address },
      orderBy: { chainCreatedAt: 'asc' },
    });
    expect(rows.map(({ status }) => status)).toEqual(['CANCELLED', 'ACTIVE']);
  });
});

describe('a merchant’s cancellation after the customer’s', () => {
  const cancel = (when: 'NOW' | 'PERIOD_END') =>
    cancelSubscription(world.ctx, merchant.scope, { subscription: subscription.id, when });
  beforeEach(async () => {
    await world.onChain.cancel(wallet, plan);
    await world.mirror(subscription.address);
  });

  it('holds even if the customer resumes on chain', async () => {
    await cancel('NOW');
    await cancel('NOW');
    await world.onChain.resume(wallet, plan);
    await world.mirror(subscription.address);
    expect((await readSubscription()).status).toBe('CANCELLED');
    expect(await world.historyOf(subscription.id)).toEqual([
      ...['subscribed', 'cancelled_on_chain', 'cancelled_by_merchant'],
    ]);
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.cancelled']);
  });

  it('holds even if the clock of the process is behind', async () => {
    const behind = { now: () => new Date(world.ctx.clock.now().getTime() - 60_000) };
    const input = { subscription: subscription.id, when: 'NOW' } as const;
    await cancelSubscription({ ...world.ctx, clock: behind }, merchant.scope, input);
    await world.onChain.resume(wallet, plan);
    await world.mirror(subscription.address);
    expect((await readSubscription()).status).toBe('CANCELLED');
  });

  it('at the end of the period holds even if the customer resumes', async () => {
    await cancel('PERIOD_END');
    await world.onChain.resume(wallet, plan);
    await world.mirror(subscription.address);
    expect(await readSubscription()).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
  });
});
