import { expect, it } from 'vitest';
import {
  auditBooks,
  isSound,
  type MerchantAudit,
} from '../../src/domain/maintenance/books-check/audit-books.ts';
import { DAY, PRICE, startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const KEPT_TRANSACTIONS = 30;
const world = await sharedByFile(startWorld({ maxTransactions: KEPT_TRANSACTIONS }));

interface Found extends Pick<MerchantAudit, 'differences' | 'chargedOnChain' | 'booked'> {
  readonly unreadable: readonly (readonly [string, string])[];
  readonly isSound: boolean;
}

async function audit(): Promise<Found[]> {
  const found: Found[] = [];
  for await (const audited of auditBooks(world.ctx, {})) {
    const { differences, chargedOnChain, booked, unreadable } = audited;
    found.push({
      ...{ differences, chargedOnChain, booked },
      unreadable: [...unreadable],
      isSound: isSound(audited),
    });
  }
  return found;
}

/** Makes the node drop all transactions that it has. */
async function dropHistory(): Promise<void> {
  const { address } = world.merchantWallet;
  for (let lamports = 1; lamports <= 2 * KEPT_TRANSACTIONS; lamports += 1) {
    await world.rpc('requestAirdrop', [address, 1_000_000 + lamports]);
  }
}

it('a payment older than the blocks of the node cannot be read, and is no difference', async () => {
  const customer = await world.subscriber(await world.plan());
  await world.quiet();
  await world.jump(DAY);
  await world.until('the second payment is settled', async () => {
    return (await world.books(customer.id)).filter(({ status }) => status === 'SUCCEEDED').length === 2;
  });
  await world.quiet();
  await world.stopWorkers();
  expect(await audit()).toEqual([
    { differences: [], unreadable: [], chargedOnChain: 2n * PRICE, booked: 2n * PRICE, isSound: true },
  ]);
  const signatures = (await world.books(customer.id)).map(({ signature }) => signature);
  await dropHistory();
  await world.until('the node has dropped the transfers', async () => {
    const found = await Promise.all(
      signatures.map((signature) => world.rpc('getTransaction', [signature, { commitment: 'confirmed' }])),
    );
    return found.every((transaction) => transaction === null);
  });
  const [found] = await audit();
  expect(found).toMatchObject({ differences: [], chargedOnChain: 0n, booked: 0n, isSound: false });
  expect(found?.unreadable).toEqual([
    [expect.toBeOneOf(signatures), expect.stringMatching(/^the node has no block before \d+: .* 2 booked/)],
  ]);
});

it('a payment that the ledger does not have stays a difference', async () => {
  const { count } = await world.ctx.db.chainTransfer.updateMany({ data: { amount: 1n } });
  expect(count).toBe(2);
  const [found] = await audit();
  expect(found).toMatchObject({ unreadable: [], chargedOnChain: 0n, booked: 2n * PRICE, isSound: false });
  expect(found?.differences).toHaveLength(2);
});
