import type { KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { claimDue } from '../../../../src/domain/billing/collect/claim-due.ts';
import { preparePayments } from '../../../../src/domain/billing/collect/prepare-payments.ts';
import { cancelWithTransaction } from '../../../../src/domain/billing/lifecycle/cancel-subscription.ts';
import { undoCancellation } from '../../../../src/domain/billing/lifecycle/undo-cancellation.ts';
import { getSubscription } from '../../../../src/domain/billing/read/get-subscription.ts';
import { filterSubscriptions } from '../../../../src/domain/billing/read/list-subscriptions.ts';
import { ALL_ROWS } from '../../../../src/domain/billing/read/read-subscriptions.ts';
import type { SubscriptionFilter } from '../../../../src/domain/billing/read/subscription-filter.ts';
import { failPayments } from '../../../../src/domain/billing/settle/fail-payments.ts';
import type { PageInput } from '../../../../src/domain/kernel/paging/numbered-page.ts';
import type { Plan, Subscription } from '../../../../src/generated/prisma/client.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { DAY, invalid, PRICE, refusal, startWorld, type TestMerchant } from '../../world.ts';

let merchant: TestMerchant;
let plan: Plan;
let wallet: KeyPairSigner;
let subscription: Subscription;
const world = await sharedByFile(startWorld());
beforeEach(async () => {
  merchant = await world.newMerchant();
  plan = await world.publishPlan(merchant);
  wallet = await world.newWallet();
  subscription = await world.subscribe(merchant, plan, wallet);
});

const cancel = (when: 'NOW' | 'PERIOD_END', name = subscription.address, { scope } = merchant) =>
  cancelWithTransaction(world.ctx, scope, { subscription: name, when });
const readSubscription = () => getSubscription(world.ctx, merchant.scope, subscription.id);
/** Marks the first payment as made. */
const markPaid = () => {
  const nextPaymentAt = new Date(subscription.startedAt.getTime() + DAY * 1000);
  return world.db.subscription.update({
    where: { id: subscription.id },
    data: { nextPaymentAt, nextAttemptAt: nextPaymentAt, paymentCount: 1 },
  });
};

describe('a merchant who cancels now', () => {
  it('stops collection, and the customer keeps the paid period', async () => {
    const { nextPaymentAt } = await markPaid();
    const { subscription: cancelled } = await cancel('NOW');
    expect(cancelled).toMatchObject({
      status: 'CANCELLED',
      accessUntil: nextPaymentAt,
      nextAttemptAt: null,
      cancelledAt: world.ctx.clock.now(),
    });
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.cancelled']);
  });

  it('ends at once if the current period is not paid', async () => {
    const due = await world.db.payment.create({
      data: {
        ...merchant.scope,
        subscriptionId: subscription.id,
        periodStart: subscription.chainCreatedAt,
        dueAt: subscription.startedAt,
        amount: PRICE,
      },
    });
    await cancel('NOW');
    expect((await readSubscription()).accessUntil).toEqual(world.ctx.clock.now());
    expect((await world.db.payment.findUniqueOrThrow({ where: { id: due.id } })).status).toBe('FAILED');
  });

  it('gets the transaction that cancels on chain, for the customer’s wallet', async () => {
    const { transaction } = await cancel('NOW');
    await world.sign(wallet, transaction ?? '');
    await world.mirror(subscription.address);
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'cancelled_by_merchant']);
    expect((await cancel('NOW')).transaction).toBeNull();
  });

  it('may repeat the call, even concurrently, and cancels once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => cancel('NOW')));
    expect(new Set(answers.map((answer) => answer.subscription.status))).toEqual(new Set(['CANCELLED']));
    const before = await readSubscription();
    await world.travel(60);
    expect((await cancel('NOW')).subscription).toEqual(before);
    expect((await cancel('PERIOD_END')).subscription).toEqual(before);
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.cancelled']);
  });

  it('succeeds without a transaction while no node of the cluster answers', async () => {
    const ctxWithoutChain = { ...world.ctx, chain: {} };
    const input = { subscription: subscription.address, when: 'NOW' } as const;
    const answer = await cancelWithTransaction(ctxWithoutChain, merchant.scope, input);
    expect(answer).toMatchObject({ subscription: { status: 'CANCELLED' }, transaction: null });
  });

  it('waits a few seconds for a silent node, and then gets no transaction', async () => {
    const setFault = (times: number) =>
      world.network.faults.set({ methods: { '*': { fault: 'timeout', times } } });
    setFault(1_000);
    onTestFinished(() => setFault(0));
    expect(await cancel('NOW')).toMatchObject({
      subscription: { status: 'CANCELLED' },
      transaction: null,
    });
  });
});

describe('a merchant who cancels at the end of the period', () => {
  it('leaves it active until the next due date, which is not collected', async () => {
    await markPaid();
    const { subscription: running, transaction } = await cancel('PERIOD_END');
    expect(running).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
    expect(transaction).not.toBeNull();
    await world.travel(DAY);
    expect(
      await preparePayments(world.ctx, { environment: 'TEST', subscriptionIds: [subscription.id] }),
    ).toEqual([]);
    expect(await readSubscription()).toMatchObject({
      status: 'CANCELLED',
      accessUntil: new Date(subscription.startedAt.getTime() + DAY * 1000),
    });
    expect(await world.historyOf(subscription.id)).toEqual(['subscribed', 'cancelled_by_merchant']);
  });

  it('may still cancel at once', async () => {
    await cancel('PERIOD_END');
    expect((await cancel('NOW')).subscription.status).toBe('CANCELLED');
  });

  it('is told once of the cancellation and of its undo', async () => {
    const { nextPaymentAt } = await markPaid();
    const undo = () => undoCancellation(world.ctx, merchant.scope, subscription.address);
    await undo();
    for (const change of [() => cancel('PERIOD_END'), undo]) {
      await change();
      await change();
    }
    const events = await world.db.event.findMany({
      where: { subscriptionId: subscription.id },
      orderBy: { sequence: 'asc' },
    });
    expect(events.slice(1)).toMatchObject([
      {
        type: 'subscription.cancellation_scheduled',
        data: {
          subscriptionId: subscription.address,
          cancelsAt: nextPaymentAt.toISOString(),
          cancellationReason: null,
          cancellationComment: null,
        },
      },
      {
        type: 'subscription.cancellation_undone',
        data: { subscriptionId: subscription.address, nextPaymentDate: nextPaymentAt.toISOString() },
      },
    ]);
    expect(events).toHaveLength(3);
  });

  it('is told nothing more of what the customer has already cancelled on chain', async () => {
    await markPaid();
    await world.onChain.cancel(wallet, plan);
    await world.mirror(subscription.address);
    await cancel('PERIOD_END');
    await undoCancellation(world.ctx, merchant.scope, subscription.address);
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created', 'subscription.cancelled']);
  });

  it('is told again when the customer resumes and the cancellation still applies', async () => {
    await markPaid();
    await cancel('PERIOD_END');
    await world.onChain.cancel(wallet, plan);
    await world.mirror(subscription.address);
    await world.onChain.resume(wallet, plan);
    await world.mirror(subscription.address);
    expect(await world.eventsOf(subscription.id)).toEqual([
      'subscription.created',
      'subscription.cancellation_scheduled',
      'subscription.cancelled',
      'subscription.resumed',
      'subscription.cancellation_scheduled',
    ]);
  });
});

describe('a subscription', () => {
  it('that has expired stays expired, and its customer may cancel on chain', async () => {
    const data = { status: 'EXPIRED', nextAttemptAt: null } as const;
    await world.db.subscription.update({ where: { id: subscription.id }, data });
    for (const when of ['NOW', 'PERIOD_END'] as const) {
      const { subscription: expired, transaction } = await cancel(when);
      expect(expired).toMatchObject({ status: 'EXPIRED', cancelAtPeriodEnd: false });
      expect(transaction).not.toBeNull();
    }
    const { transaction } = await cancel('NOW');
    await world.sign(wallet, transaction ?? '');
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created']);
  });

  it('is listed newest first, a page at a time, by status, plan, customer and wallet', async () => {
    await world.travel(1);
    const gold = await world.publishPlan(merchant, { planId: 'gold' });
    const next = await world.subscribe(merchant, gold, wallet, {
      customerEmail: 'bob@example.com',
      customerId: '42',
    });
    const list = async ({ page, limit, ...filter }: SubscriptionFilter & PageInput) => {
      const rows = () => ({ include: { plan: true, customer: true } });
      const count = async () => 0;
      const list = { page, limit, filter, listed: ALL_ROWS, rows, count };
      const { data } = await filterSubscriptions(world.ctx, merchant.scope, list);
      return data.map(({ id }) => id);
    };
    expect(await list({})).toEqual([next.id, subscription.id]);
    expect(await list({ limit: 1, page: 2 })).toEqual([subscription.id]);
    expect(await list({ planId: 'gold' })).toEqual([next.id]);
    expect(await list({ customer: 'ada@example.com' })).toEqual([subscription.id]);
    expect(await list({ customer: '42' })).toEqual([next.id]);
    expect(await refusal(list({ customer: '\0' }))).toEqual(invalid('customer'));
    expect(await list({ walletAddress: wallet.address })).toHaveLength(2);
    await cancel('NOW');
    expect(await list({ status: 'CANCELLED' })).toEqual([subscription.id]);
  });
});

it('a last failure waits for nothing if its subscription ends', async () => {
  const { id: subscriptionId, chainCreatedAt: periodStart } = subscription;
  const claim = await claimDue(world.ctx, 'TEST', 10);
  await preparePayments(world.ctx, claim);
  await world.db.subscription.update({
    where: { id: subscriptionId },
    data: { status: 'PAST_DUE', failureCount: 2, cancelAtPeriodEnd: true },
  });
  await world.db.plan.update({ where: { id: plan.id }, data: { retryPolicy: 'UNTIL_PAID' } });
  const failure = { code: 'INSUFFICIENT_FUNDS', balanceAvailable: 0n } as const;
  const failed = { subscriptionId, periodStart, ordinal: 0, claimedUntil: claim.until, failure };
  await failPayments(world.ctx, [failed]);
  expect(await readSubscription()).toMatchObject({ status: 'EXPIRED', nextAttemptAt: null });
});
