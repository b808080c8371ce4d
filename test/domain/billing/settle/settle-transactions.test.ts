import { expect, it } from 'vitest';
import { settleTransactions } from '../../../../src/domain/billing/settle/settle-transactions.ts';
import { sharedByFile } from '../../../support/shared-by-file.ts';
import { PRICE, startWorld } from '../../world.ts';

const { ctx, db, ...world } = await sharedByFile(startWorld());
const merchant = await world.newMerchant();
const plan = await world.publishPlan(merchant);
const subscription = await world.subscribe(merchant, plan, await world.newWallet());
const { id: subscriptionId, merchantId, address, chainCreatedAt: periodStart } = subscription;

/** A payment of the period that begins at `periodStart`. */
const createPayment = (start: bigint) =>
  db.payment.create({
    data: {
      environment: 'TEST',
      merchantId,
      subscriptionId,
      periodStart: start,
      dueAt: new Date(Number(start) * 1000),
      amount: PRICE,
      lines: [{ kind: 'FLAT', text: 'Pro', amount: String(PRICE) }],
    },
  });

function transactionOf(signature: string, start: bigint) {
  const transfer = { signature, index: 0, slot: 1n, at: null, puller: null, amount: PRICE };
  const transfers = [{ ...transfer, subscription: address, plan: plan.address, periodStart: start }];
  return { signature, slot: 1n, feeLamports: null, transfers };
}

const namedPayment = async (signature: string) =>
  (await db.chainTransfer.findFirstOrThrow({ where: { signature } })).paymentId;

it('a transfer in the ledger names the payment that it settles', async () => {
  const { id } = await createPayment(periodStart);
  for (const _ of [1, 2])
    expect(await settleTransactions(ctx, 'TEST', [transactionOf('sound', periodStart)])).toEqual(new Map());
  expect(await namedPayment('sound')).toBe(id);
  expect(await db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({
    status: 'SUCCEEDED',
    paidAmount: PRICE,
  });
  expect(await db.event.count({ where: { subscriptionId, type: 'subscription.payment_succeeded' } })).toBe(1);
});

it('a transfer that settles nothing names no payment, although its period has one', async () => {
  // The subscription has no period that begins then.
  const start = periodStart + 1n;
  const { id } = await createPayment(start);
  expect(await settleTransactions(ctx, 'TEST', [transactionOf('strange', start)])).toEqual(new Map());
  expect(await namedPayment('strange')).toBeNull();
  expect(await db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'DUE' });
});
