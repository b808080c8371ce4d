import { expect, it, vi } from 'vitest';
import { scheduledAt } from '../../../../src/domain/billing/book/book.ts';
import { loadPayments, readBooks, readBooksAt } from '../../../../src/domain/billing/book/read-books.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { SOON } from '../../../support/soon.ts';
import { startWorld } from '../../world.ts';

const world = await sharedByFile(startWorld());

it('a book has the customer that its subscription got while it was locked', async () => {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  const { id, address } = await world.subscribe(merchant, plan, await world.newWallet());
  const { db } = world;
  const reading = await db.$transaction(async (tx) => {
    const customer = { email: 'new@example.com', walletAddress: 'another' };
    const { id: customerId } = await tx.customer.create({ data: { ...merchant.scope, ...customer } });
    await tx.subscription.update({ where: { id }, data: { customerId } });
    const byId = db.$transaction((secondTx) => readBooks(secondTx, [id]));
    const byAddress = db.$transaction((secondTx) => readBooksAt(secondTx, 'TEST', [address]));
    await vi.waitFor(async () => expect(await countWaiting()).toBe(2), SOON);
    return { byId, byAddress };
  });
  for (const books of [await reading.byId, await reading.byAddress]) {
    expect(books.get(id)?.subscription.customer.email).toBe('new@example.com');
  }
});

async function countWaiting(): Promise<number> {
  const rows = await world.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
  return rows.length;
}

it('a payment that was not read is an error, not a missing payment', async () => {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  const { id } = await world.subscribe(merchant, plan, await world.newWallet());
  await world.db.$transaction(async (tx) => {
    const books = await readBooks(tx, [id]);
    const book = books.get(id);
    expect(() => book?.payment(scheduledAt(1n))).toThrow('payment 0 of the period at 1 has not been read');
    await loadPayments(tx, books, [{ subscriptionId: id, periodStart: 1n }]);
    expect(book?.payment(scheduledAt(1n))).toBeUndefined();
    expect(book?.payment({ periodStart: 1n, ordinal: 1 })).toBeUndefined();
    expect(() => book?.payment(scheduledAt(2n))).toThrow('payment 0 of the period at 2 has not been read');
  });
});
