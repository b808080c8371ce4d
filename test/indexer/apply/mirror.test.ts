import { address } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { planAddress, subscriptionAddress } from '../../../src/chain/accounts/addresses.ts';
import {
  createPlanTransaction,
  sunsetPlanTransaction,
} from '../../../src/chain/transactions/plan-transactions.ts';
import { completeCheckout } from '../../../src/domain/checkout/completion/complete-checkout.ts';
import { subscriptionToSign } from '../../../tools/world/transactions-to-sign.ts';
import { DAY, PRICE } from '../../domain/world.ts';
import { type Mode, startIndexerWorld } from '../world.ts';

describe.each<Mode>(['stream', 'polling'])('by %s', (mode) => {
  test('a draft turns active when it is published, and inactive when it is sunset', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const sunset = await sunsetPlanTransaction(world.chain, {
      owner: world.merchant.wallet.address,
      plan: address(plan.address),
      endsAt: BigInt(world.network.unixSeconds() + 2 * DAY),
    });
    await world.sign(world.merchant.wallet, sunset);
    await world.waitForPlan(plan, 'INACTIVE');
  });

  test('history from before the first start is found', async () => {
    const world = await startIndexerWorld(mode);
    const plan = await world.publish();
    await world.startIndexing();
    await world.waitForPlan(plan, 'ACTIVE');
  });

  test('a subscription whose app stopped after signing completes its session', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.subscribeWithoutCompleting(plan);
    const subscription = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    const session = await world.db.checkoutSession.findFirst({ where: { subscriptionId: subscription.id } });
    expect(session?.status).toBe('COMPLETED');
    expect(await world.eventsOf(subscription.id)).toEqual(['subscription.created']);
  });

  test('an app that completes at the same time leads to one subscription', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.newWallet();
    const sessionId = await world.openSession(world.merchant, plan);
    const approved = await world.approve(sessionId, plan, wallet);
    await completeCheckout(world.ctx, sessionId, approved);
    await world.waitUntilCaughtUp();
    expect(await world.db.subscription.count()).toBe(1);
    const events = await world.db.event.findMany({ orderBy: { type: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['customer.state_changed', 'subscription.created']);
  });

  test('two cancellations, the resumption between them and the closing are each observed', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.subscribeWithoutCompleting(plan);
    const { id, startedAt } = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    // No worker runs here: the first payment is made.
    const nextPaymentAt = new Date(startedAt.getTime() + DAY * 1_000);
    await world.db.subscription.update({ where: { id }, data: { nextPaymentAt, paymentCount: 1 } });
    await world.onChain.cancel(wallet, plan);
    const cancelled = await world.waitForSubscription(plan, wallet, 'CANCELLED');
    expect(cancelled.accessUntil).toEqual(nextPaymentAt);
    await world.onChain.resume(wallet, plan);
    await world.waitForSubscription(plan, wallet, 'ACTIVE');
    await world.onChain.cancel(wallet, plan);
    const unpaid = await world.waitForSubscription(plan, wallet, 'CANCELLED');
    expect(unpaid.accessUntil).toEqual(unpaid.cancelledAt);
    await world.travel(DAY + 1);
    await world.onChain.close(wallet, plan);
    await world.eventually(async () => {
      const pda = await subscriptionAddress(address(plan.address), wallet.address);
      const key = { environment_address: { environment: 'TEST', address: pda } } as const;
      expect((await world.db.chainAccount.findUnique({ where: key }))?.closed).toBe(true);
    });
    expect(await world.historyOf(id)).toEqual([
      'subscribed',
      'cancelled_on_chain',
      'resumed_on_chain',
      'cancelled_on_chain',
    ]);
  });

  test('subscribing again at the address of a closed subscription makes a new one', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.subscribeWithoutCompleting(plan);
    const first = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    await world.onChain.cancel(wallet, plan);
    await world.waitForSubscription(plan, wallet, 'CANCELLED');
    await world.travel(2 * DAY + 7);
    await world.onChain.close(wallet, plan);
    await world.subscribeWithoutCompleting(plan, wallet);
    const second = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    expect(second.address).toBe(first.address);
    expect(second.id).not.toBe(first.id);
  });

  test('a closed authority ends the subscriptions that were paid through it', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.subscribeWithoutCompleting(plan);
    const { id } = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    await world.onChain.closeAuthority(wallet, plan);
    await world.waitForSubscription(plan, wallet, 'CANCELLED');
    expect(await world.historyOf(id)).toEqual(['subscribed', 'authority_revoked']);
  });

  test('a transfer that the merchant makes settles the payment of its period, once', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.subscribeWithoutCompleting(plan);
    const subscription = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    const signature = await world.pullByMerchant(plan, wallet);
    await world.eventually(async () => {
      expect(await world.db.payment.findMany()).toMatchObject([
        {
          subscriptionId: subscription.id,
          status: 'SUCCEEDED',
          amount: PRICE,
          number: 1,
          signature,
          collectedByUs: false,
        },
      ]);
    });
    await world.waitUntilCaughtUp();
    const paid = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    expect(paid.paymentCount).toBe(1);
    expect(paid.nextPaymentAt).toEqual(new Date(subscription.startedAt.getTime() + DAY * 1_000));
  });

  test('a top-up of a past-due payer makes the payment due at once', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const wallet = await world.subscribeWithoutCompleting(plan, await world.newWallet(PRICE - 1n));
    const { id } = await world.waitForSubscription(plan, wallet, 'ACTIVE');
    const now = world.ctx.clock.now();
    const later = new Date(now.getTime() + 60_000);
    await world.db.subscription.update({
      where: { id },
      data: { status: 'PAST_DUE', failureCount: 1, nextAttemptAt: later },
    });
    await world.waitUntilCaughtUp();
    expect((await world.waitForSubscription(plan, wallet, 'PAST_DUE')).nextAttemptAt).toEqual(later);
    await world.setTokens(wallet.address, PRICE);
    await world.eventually(async () => {
      const { nextAttemptAt } = await world.db.subscription.findUniqueOrThrow({ where: { id } });
      expect(nextAttemptAt).toEqual(now);
    });
    // The payment fails for another reason: the same balance must not make it due repeatedly.
    await world.db.subscription.update({ where: { id }, data: { failureCount: 2, nextAttemptAt: later } });
    await world.waitUntilCaughtUp();
    expect((await world.waitForSubscription(plan, wallet, 'PAST_DUE')).nextAttemptAt).toEqual(later);
  });

  test('plans, subscriptions and pulls of strangers are not mirrored', async () => {
    const world = await startIndexerWorld(mode);
    await world.startIndexing();
    const plan = await world.publishActivePlan();
    const stranger = await world.newWallet();
    const amount = 2n ** 63n;
    const customer = await world.newWallet(amount);
    const terms = {
      chainPlanId: 1n,
      mint: address(plan.mint),
      tokenProgram: address(plan.tokenProgram),
      amount,
      periodSeconds: DAY,
    };
    const strangersPlan = { ...terms, owner: stranger.address, endsAt: null, metadataUri: '' };
    await world.sign(stranger, await createPlanTransaction(world.chain, strangersPlan));
    const planCreatedAt = BigInt(world.network.unixSeconds());
    const subscribe = { ...terms, subscriber: customer.address, merchant: stranger.address, planCreatedAt };
    const { transactions } = await subscriptionToSign(world.chain, subscribe);
    for (const transaction of transactions) await world.sign(customer, transaction);
    const theirs = { ...plan, address: await planAddress(stranger.address, terms.chainPlanId) };
    await world.pullByOwner(stranger, theirs, customer, amount);
    await world.waitUntilCaughtUp();
    const rows = await world.db.chainAccount.findMany();
    expect(rows.map((row) => row.address)).toEqual([plan.address]);
    expect(await world.db.unappliedUpdate.count()).toBe(0);
  });
});
