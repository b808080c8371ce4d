import { afterAll, describe, expect, it } from 'vitest';
import { comparePlan } from '../../src/domain/maintenance/books-check/compare-plan.ts';
import { DAY, PRICE, startWorld } from './world.ts';

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
});
