import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openBooks, openBooksAt } from '../../../src/domain/payment/books/read-books.ts';
import { startWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('a subscription that is given to a new customer while its lock is waited for is read with that one', async () => {
  const merchant = await world.newMerchant();
  const plan = await world.publishPlan(merchant);
  const { id, address } = await world.subscribe(merchant, plan, await world.newWallet());
  const { db } = world;
  const opening = await db.$transaction(async (tx) => {
    const customer = { email: 'new@example.com', walletAddress: 'another' };
    const { id: customerId } = await tx.customer.create({ data: { ...merchant.scope, ...customer } });
    await tx.subscription.update({ where: { id }, data: { customerId } });
    const byId = db.$transaction((other) => openBooks(other, [id]));
    const byAddress = db.$transaction((other) => openBooksAt(other, 'TEST', [address]));
    await vi.waitFor(async () => expect(await waiting()).toBe(2), { timeout: 4_000 });
    return { byId, byAddress };
  });
  for (const books of [await opening.byId, await opening.byAddress]) {
    expect(books.get(id)?.subscription.customer.email).toBe('new@example.com');
  }
});

async function waiting(): Promise<number> {
  const rows = await world.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
  return rows.length;
}
