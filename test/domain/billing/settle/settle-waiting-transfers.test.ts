import { expect, it } from 'vitest';
import {
  settleWaitingTransfers,
  TRANSFERS_PER_CALL,
  WaitingTransfers,
} from '../../../../src/domain/billing/settle/settle-waiting-transfers.ts';
import { recordStatements } from '../../../../tools/statements.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { PRICE, startWorld } from '../../world.ts';

/** Number of transfers of subscribers without dues. */
const FOREIGN = 300_000;
/** Calls in ten minutes, one every five seconds. */
const CALLS = 120;
/** Database pages read per transfer: its row, and the index lookup of its missing subscription. */
const BLOCKS_PER_TRANSFER = 6;

const world = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);
const subscription = await world.subscribe(merchant, plan, await world.newWallet());
await world.db.$executeRaw`
  INSERT INTO "ChainTransfer" ("environment", "signature", "index", "slot", "subscriptionAddress", "planAddress",
    "amount", "periodStart")
  SELECT 'TEST', 'foreign ' || n, 0, n / 20, 'stranger ' || n % 30000, ${plan.address}, 1, n
  FROM generate_series(1, ${FOREIGN}::int) n`;
await world.db.$executeRaw`ANALYZE "ChainTransfer"`;
const transfer = { signature: 'ours', index: 0, slot: BigInt(FOREIGN / 40), puller: null };
await world.db.chainTransfer.create({
  data: {
    ...transfer,
    environment: 'TEST',
    subscriptionAddress: subscription.address,
    planAddress: plan.address,
    amount: PRICE,
    periodStart: subscription.chainCreatedAt,
  },
});

it('a waiting transfer among very many of strangers is settled within ten minutes', async () => {
  const walk = new WaitingTransfers();
  const isSettled = async () =>
    (await world.db.payment.count({ where: { subscriptionId: subscription.id, status: 'SUCCEEDED' } })) === 1;
  let calls = 0;
  for (; calls < CALLS && !(await isSettled()); calls++)
    await settleWaitingTransfers(world.ctx, 'TEST', walk);
  expect(await isSettled()).toBe(true);
  // One round through all waiting transfers takes at most CALLS calls, from any start.
  expect(Math.ceil(FOREIGN / TRANSFERS_PER_CALL)).toBeLessThanOrEqual(CALLS);
  for (; calls < CALLS && walk.last.slot > -1n; calls++)
    await settleWaitingTransfers(world.ctx, 'TEST', walk);
  expect(walk.last.slot).toBe(-1n);
  expect(await world.db.chainTransfer.count({ where: { paymentId: null } })).toBe(FOREIGN);
});

it('one call reads a bounded part of the waiting transfers, by index', async () => {
  const walk = new WaitingTransfers();
  walk.last = { slot: BigInt(FOREIGN / 40), signature: '', index: 0 };
  const statements = await recordStatements(() => settleWaitingTransfers(world.ctx, 'TEST', walk));
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) {
    const rows = await world.db.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT TEXT) ${text}`,
      ...values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan on "ChainTransfer"');
    const [, hit = 0, read = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
    expect(Number(hit) + Number(read), plan).toBeLessThan(TRANSFERS_PER_CALL * BLOCKS_PER_TRANSFER);
  }
});
