import { afterAll, describe, expect, it } from 'vitest';
import { createPrice } from '../../src/domain/billing/price/create-price.ts';
import { linesOf } from '../../src/domain/billing/price/line.ts';
import type { UpcomingPayment } from '../../src/domain/billing/read/ahead-of.ts';
import { readAhead } from '../../src/domain/billing/read/upcoming-payment.ts';
import { comparePlan } from '../../src/domain/maintenance/books-check/compare-plan.ts';
import { DAY, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.close());

describe('a plan whose limit is above its price', () => {
  it('collects the price once in each period, and its books agree with the chain', async () => {
    const customer = await world.subscriber(await world.plan({ limit: 4n * PRICE }));
    await world.quiet();
    for (let period = 1; period <= 2; period++) await world.travel(DAY);
    const payments = await world.books(customer.id);
    expect(payments.map(({ status, paidAmount }) => [status, paidAmount])).toEqual([
      ['SUCCEEDED', PRICE],
      ['SUCCEEDED', PRICE],
      ['SUCCEEDED', PRICE],
    ]);
    expect(await world.tokensOf(customer.wallet.address)).toBe(97n * PRICE);
    const plan = await world.ctx.db.plan.findUniqueOrThrow({
      where: { environment_address: { environment: 'TEST', address: customer.plan } },
    });
    const compared = await comparePlan(world.ctx, world.chain, { plan, onRead: async () => undefined });
    expect(compared).toMatchObject({ chargedOnChain: 3n * PRICE, booked: 3n * PRICE, differences: [] });
  });

  it('collects what was previewed, from subscriptions of each version', async () => {
    const planId = await world.plan({ limit: 4n * PRICE });
    const first = await world.subscriber(planId);
    await createPrice(world.ctx, world.scope, planId, 3n * PRICE);
    const second = await world.subscriber(planId);
    await world.quiet();
    const previews = await Promise.all([first, second].map(previewOf));
    expect(previews.map((preview) => preview?.total)).toEqual([PRICE, 3n * PRICE]);
    await world.travel(DAY);
    for (const [index, { id }] of [first, second].entries()) {
      const payment = (await world.books(id)).at(-1);
      expect(payment).toMatchObject({ status: 'SUCCEEDED', dueAt: previews[index]?.dueAt });
      expect(payment?.paidAmount).toBe(previews[index]?.total);
      expect(linesOf({ lines: payment?.lines ?? null })).toEqual(previews[index]?.lines);
    }
  });
});

async function previewOf({ id: address }: Subscriber): Promise<UpcomingPayment | null | undefined> {
  const { id } = await world.ctx.db.subscription.findFirstOrThrow({ where: { address } });
  return (await readAhead(world.ctx.db, [id], world.ctx.clock.now())).get(id)?.upcomingPayment;
}
