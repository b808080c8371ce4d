import { describe, expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

interface Cancelled {
  readonly cancelSubscription: {
    readonly subscription: {
      readonly status: string;
      readonly accessUntil: string | null;
      readonly nextPaymentAt: string | null;
      readonly cancelAtPeriodEnd: boolean;
    };
    readonly transaction: string;
  };
}

async function cancel({ id }: Subscriber, when: 'NOW' | 'PERIOD_END') {
  const { cancelSubscription } = await world.graphql<Cancelled>(
    `mutation ($id: ID!, $when: CancelWhen!) {
      cancelSubscription(subscription: $id, when: $when) {
        subscription { status accessUntil nextPaymentAt cancelAtPeriodEnd }
        transaction
      }
    }`,
    { id, when },
  );
  return cancelSubscription;
}

describe('a merchant who cancels a subscription', () => {
  it('with NOW stops collection at once, and the customer keeps the paid period', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    const { subscription } = await cancel(customer, 'NOW');
    expect(subscription.status).toBe('CANCELLED');
    expect(subscription.nextPaymentAt).toBeNull();
    const [row] = await world.ctx.db.subscription.findMany({ where: { address: customer.id } });
    expect(subscription.accessUntil).toBe(row?.nextPaymentAt.toISOString());
    await world.travel(3 * DAY);
    expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'cancelled']);
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE);
  });

  it('with NOW lets the customer remove the approval with the returned transaction', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    const { transaction } = await cancel(customer, 'NOW');
    await world.sign(customer.wallet, transaction);
    expect((await cancel(customer, 'NOW')).transaction).toBeNull();
    await world.quiet();
    expect(world.receivedEvents(customer.id)).toEqual(['created', 'payment_succeeded', 'cancelled']);
  });

  it('with PERIOD_END leaves it active until the next payment would be due', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    const { subscription } = await cancel(customer, 'PERIOD_END');
    expect(subscription).toMatchObject({ status: 'ACTIVE', nextPaymentAt: null, cancelAtPeriodEnd: true });
    await world.travel(DAY - 120);
    const scheduled = ['created', 'payment_succeeded', 'cancellation_scheduled'];
    expect(world.receivedEvents(customer.id)).toEqual(scheduled);
    await world.travel(120);
    expect(world.receivedEvents(customer.id)).toEqual([...scheduled, 'cancelled']);
    expect((await customer.state()).state).toBe('cancelled');
    expect(await world.tokensOf(customer.wallet.address)).toBe(99n * PRICE);
  });

  it('with PERIOD_END makes no later period due, even if dues is down', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    const { accessUntil } = (await cancel(customer, 'PERIOD_END')).subscription;
    await world.stopWorkers();
    await world.jump(3 * DAY + 60);
    await world.startWorkers();
    await world.quiet();
    expect(await world.books(customer.id)).toMatchObject([{ status: 'SUCCEEDED' }]);
    const [row] = await world.ctx.db.subscription.findMany({ where: { address: customer.id } });
    expect(row).toMatchObject({ status: 'CANCELLED', accessUntil: new Date(accessUntil ?? 0) });
  });
});

describe('a merchant whose retries come after a day', () => {
  it('of an hourly plan has each payment retried within its hour', async () => {
    const settings = { merchantId: world.scope.merchantId, environment: 'TEST' as const };
    const delays = { maxFailures: 5, retryDelaysSeconds: [DAY] };
    await world.ctx.db.merchantSettings.create({ data: { ...settings, ...delays } });
    const customer = await world.subscriber(await world.plan({ interval: HOUR }), { payments: 1 });
    await world.quiet();
    world.logged.length = 0;
    // The payment is due, and is attempted again at the last time at which it can be sent.
    await world.travel(HOUR);
    const row = await world.ctx.db.subscription.findFirstOrThrow({ where: { address: customer.id } });
    const lastAttemptMs = row.nextAttemptAt?.getTime() ?? 0;
    await world.travel(Math.ceil((lastAttemptMs - world.ctx.clock.now().getTime()) / 1000));
    const failures = () =>
      world
        .webhooks(customer.id)
        .filter(({ event }) => event === 'subscription.payment_failed')
        .map(({ data }) => data);
    expect(failures()).toMatchObject([
      { failureCount: 1, noRetryReason: null },
      { failureCount: 2, noRetryReason: 'PERIOD_ENDS' },
    ]);
    // The indexer is down, so that only the schedule decides when the money is taken.
    await world.stopIndexer();
    await customer.setBalance(10n * PRICE);
    await world.travel(131);
    await world.startIndexer();
    await world.decided(customer.id);
    await world.quiet();
    expect(await world.books(customer.id)).toMatchObject([
      { status: 'SUCCEEDED' },
      { status: 'MISSED' },
      { status: 'SUCCEEDED' },
    ]);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    expect(world.receivedEvents(customer.id)).not.toContain('payment_missed');
    expect(world.logged.filter(({ msg }) => msg.startsWith('payments missed'))).toEqual([]);
    await world.ctx.db.merchantSettings.deleteMany({ where: settings });
  });
});

describe('a merchant who allows five failures', () => {
  it('has payments retried as it is set, and then expires the subscription', async () => {
    const settings = { merchantId: world.scope.merchantId, environment: 'TEST' as const, maxFailures: 5 };
    await world.ctx.db.merchantSettings.create({ data: settings });
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    const pastDue = (failureCount: number) => ({ state: 'past_due', failureCount });
    const waitsSeconds = [60, 300, 1800, 1800];
    for (const [index, wait] of waitsSeconds.entries()) {
      await world.travel(wait - 10);
      expect(await customer.state()).toEqual(pastDue(index + 1));
      await world.travel(12);
    }
    expect(await customer.state()).toEqual({ state: 'expired', failureCount: 5 });
    expect(world.receivedEvents(customer.id).slice(2)).toEqual([
      ...Array(5).fill('payment_failed'),
      'expired',
    ]);
  });
});
