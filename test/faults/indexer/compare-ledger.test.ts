import { expect, test } from 'vitest';
import type { AppContext } from '../../../src/app.ts';
import {
  type ComparedPart,
  compareLedger,
  TRANSFERS_PER_PART,
} from '../../../src/domain/maintenance/books-check/compare-ledger.ts';
import { PRICE } from '../../domain/world.ts';
import { startIndexerWorld } from '../../indexer/world.ts';

async function payOnce() {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  const plan = await world.publishActivePlan();
  const wallet = await world.subscribeWithoutCompleting(plan);
  await world.waitForSubscription(plan, wallet, 'ACTIVE');
  const signature = await world.pullByMerchant(plan, wallet);
  await world.eventually(async () => expect(await world.db.payment.count()).toBe(1));
  await world.waitUntilCaughtUp();
  await indexer.close();
  return { ...world, signature };
}

/** After every slot. */
const END = 1_000_000_000_000n;

async function partsAfter(ctx: AppContext, since: bigint): Promise<ComparedPart[]> {
  const parts: ComparedPart[] = [];
  for await (const part of compareLedger(ctx, 'TEST', { since, until: END })) parts.push(part);
  return parts;
}

async function differencesAfter(ctx: AppContext, since: bigint) {
  return (await partsAfter(ctx, since)).flatMap(({ differences }) => differences);
}

test('a transfer in the ledger without a payment is not a difference', async () => {
  const { db, ctx } = await payOnce();
  // The state after a process crashed between the two writes.
  await db.chainTransfer.updateMany({ data: { paymentId: null } });
  await db.payment.deleteMany();
  expect(await differencesAfter(ctx, 0n)).toEqual([]);
  expect(await db.payment.count()).toBe(0);
});

test('a payment that differs from its transfers is reported, and not changed', async () => {
  const { db, ctx, signature } = await payOnce();
  expect(await differencesAfter(ctx, 0n)).toEqual([]);
  await db.payment.updateMany({ data: { paidAmount: PRICE + 1n } });
  expect(await differencesAfter(ctx, 0n)).toMatchObject([
    { booked: PRICE + 1n, transferred: PRICE, signatures: [signature] },
  ]);
  expect(await db.payment.findMany()).toMatchObject([{ paidAmount: PRICE + 1n }]);
  const [transfer] = await db.chainTransfer.findMany();
  expect(await differencesAfter(ctx, transfer?.slot ?? 0n)).toEqual([]);
});

test('a long ledger is compared in parts of whole slots', async () => {
  const { db, ctx } = await payOnce();
  const [transfer] = await db.chainTransfer.findMany();
  const slot = transfer?.slot ?? 0n;
  // Three in each slot.
  await db.$executeRaw`
    INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
      "amount", "periodStart")
    SELECT 'TEST', 'foreign ' || n, 0, ${slot} + 1 + (n - 1) / 3, 'stranger', ${transfer?.planAddress}, 1, n
    FROM generate_series(1, ${2 * TRANSFERS_PER_PART}::int) n`;
  const slots = (await partsAfter(ctx, slot)).map((part) => part.slot);
  const slotOf = (n: number) => slot + 1n + BigInt(Math.floor((n - 1) / 3));
  const [first = 0n] = slots;
  expect(first).toBe(slotOf(TRANSFERS_PER_PART));
  expect(slots).toHaveLength(2);
  expect(slots.at(-1)).toBe(END);
});
