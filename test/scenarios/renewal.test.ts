import { describe, expect, it } from 'vitest';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const events = (id: string) => world.webhooks(id).map(({ event }) => event.replace('subscription.', ''));

describe('a subscription', () => {
  it('pays at once, renews three times, and the merchant gets the webhooks in order', async () => {
    const before = await world.tokensOf(world.merchantWallet.address);
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    for (let period = 0; period < 3; period++) await world.travel(DAY);
    expect(events(customer.id)).toEqual(['created', ...Array(4).fill('payment_succeeded')]);
    expect(world.webhooks(customer.id).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(before + 4n * PRICE);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
  });

  it('with a trial pays first when the trial is over', async () => {
    const customer = await world.subscriber(await world.plan({ trial: 7 * HOUR }));
    await world.quiet();
    await world.travel(6 * HOUR);
    expect(events(customer.id)).toEqual(['created']);
    await world.travel(HOUR);
    expect(events(customer.id)).toEqual(['created', 'payment_succeeded']);
  });

  it('with a trial longer than its interval pays once an interval from its end', async () => {
    const customer = await world.subscriber(await world.plan({ trial: 2 * DAY + 23 * HOUR }));
    await world.quiet();
    await world.travel(2 * DAY + 22 * HOUR);
    expect(events(customer.id)).toEqual(['created']);
    await world.travel(HOUR);
    for (let period = 0; period < 2; period++) await world.travel(DAY);
    expect(events(customer.id)).toEqual(['created', ...Array(3).fill('payment_succeeded')]);
    expect((await world.books(customer.id)).every(({ status }) => status === 'SUCCEEDED')).toBe(true);
  });

  it('that cannot pay is retried, and expires at the third failure', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.travel(40);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.travel(25);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 2 });
    await world.travel(4 * 60);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 2 });
    await world.travel(65);
    expect(await customer.state()).toEqual({ state: 'expired', failureCount: 3 });
    expect(events(customer.id)).toEqual([
      ...['created', 'payment_succeeded'],
      ...['payment_failed', 'payment_failed', 'payment_failed', 'expired'],
    ]);
    expect(world.webhooks(customer.id)[2]?.data).toMatchObject({
      amountRequired: String(PRICE),
      balanceAvailable: '0',
      failureCount: 1,
    });
    await world.travel(30 * DAY);
    expect(events(customer.id)).toHaveLength(6);
  });

  it('recovers at once when its wallet is topped up', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    expect((await customer.state()).state).toBe('past_due');
    await customer.setBalance(10n * PRICE);
    await expect.poll(() => customer.state()).toEqual({ state: 'active', failureCount: 0 });
    await world.quiet();
    expect(events(customer.id).slice(-2)).toEqual(['payment_failed', 'payment_succeeded']);
    await world.travel(DAY);
    expect(events(customer.id).at(-1)).toBe('payment_succeeded');
  });

  it('recovers at its scheduled retry if the top-up was not seen', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    await world.stopIndexer();
    await customer.setBalance(10n * PRICE);
    await world.travel(40);
    expect(await customer.state()).toEqual({ state: 'past_due', failureCount: 1 });
    await world.travel(25);
    expect(await customer.state()).toEqual({ state: 'active', failureCount: 0 });
    expect(events(customer.id).slice(-2)).toEqual(['payment_failed', 'payment_succeeded']);
    await world.startIndexer();
  });

  it('that was cancelled on chain is never charged again', async () => {
    const customer = await world.subscriber(await world.plan(), { payments: 1 });
    await world.quiet();
    await world.travel(DAY);
    await customer.cancel();
    await expect.poll(() => customer.state()).toMatchObject({ state: 'cancelled' });
    await customer.setBalance(10n * PRICE);
    await world.travel(2 * HOUR);
    await world.travel(5 * DAY);
    expect(await world.tokensOf(customer.wallet.address)).toBe(10n * PRICE);
    expect(events(customer.id)).toEqual(['created', 'payment_succeeded', 'payment_failed', 'cancelled']);
  });

  it('continues when the customer resumes it in time', async () => {
    const customer = await world.subscriber(await world.plan());
    await world.quiet();
    await customer.cancel();
    await expect.poll(() => customer.state()).toMatchObject({ state: 'cancelled' });
    await customer.resume();
    await expect.poll(() => customer.state()).toMatchObject({ state: 'active' });
    await world.travel(DAY);
    expect(events(customer.id)).toEqual([
      ...['created', 'payment_succeeded'],
      ...['cancelled', 'resumed', 'payment_succeeded'],
    ]);
  });
});
