import { expect } from 'vitest';
import { PRICE, type Subscriber, type World } from './world.ts';

/**
 * Starts dues and waits until each customer has paid this often. Each had 100 times the price at first.
 *
 * @returns the payments of each customer
 */
export async function untilEverybodyPaid(
  world: World,
  customers: readonly Subscriber[],
  times: number,
): Promise<Awaited<ReturnType<World['books']>>[]> {
  const readBooks = () => Promise.all(customers.map(({ id }) => world.books(id)));
  await world.startIndexer();
  await world.startWorkers();
  await world.until('everybody has paid', async () =>
    (await readBooks()).every((of) => of.filter(({ status }) => status === 'SUCCEEDED').length === times),
  );
  await world.quiet();
  for (const { wallet } of customers) {
    expect(await world.tokensOf(wallet.address)).toBe((100n - BigInt(times)) * PRICE);
  }
  return readBooks();
}
