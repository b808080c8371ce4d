import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { seedCustomer, seedPlan, seedScope, subscriptionRow } from '../../tools/world/rows.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const database = await sharedByFile(cloneDatabase(inject('templateDatabaseUrl')));
const db = connectDb(database.url);
afterAll(async () => {
  await db.$disconnect();
});

const NOW = new Date('2026-12-01T00:00:00Z');
const serial = 0;

/**
 * Creates a merchant with a plan, a customer and a subscription, whose rows the tests try to
 * corrupt.
 */
async function createRows() {
  const scope = await seedScope(db);
  const plan = await seedPlan(db, scope);
  const customer = await seedCustomer(db, scope);
  const data = subscriptionRow(plan, customer, NOW, { nextAttemptAt: NOW });
  const subscription = await db.subscription.create({ data });
  const createPayment = (periodStart: bigint, fields: Partial<Prisma.PaymentUncheckedCreateInput> = {}) =>
    db.payment.create({
      data: {
        ...scope,
        subscriptionId: subscription.id,
        periodStart,
        dueAt: NOW,
        amount: 5_000_000n,
        ...fields,
      },
    });
  return { scope, plan, subscription, createPayment };
}

describe('the database refuses', () => {
  it('a plan that costs nothing, or whose interval is not whole hours', async () => {
    const { plan } = await createRows();
    const change = (data: object) => db.plan.update({ where: { id: plan.id }, data });
    await expect(change({ amount: 0n })).rejects.toThrow('Plan_amount_above_zero');
    await expect(change({ intervalSeconds: 5400 })).rejects.toThrow('Plan_whole_hours');
    await expect(change({ status: 'ACTIVE' })).rejects.toThrow('Plan_published_has_chain_time');
  });

  it('two payments of one period', async () => {
    const { createPayment } = await createRows();
    await createPayment(100n);
    await expect(createPayment(100n)).rejects.toThrow('Unique constraint');
    expect((await createPayment(3700n)).status).toBe('DUE');
  });

  it('lines that do not add up to the amount, and other lines later', async () => {
    const { createPayment } = await createRows();
    const line = (amount: string) => ({ kind: 'FLAT', text: 'Gold', amount });
    const lines = [line('6000000'), line('-1000000')];
    await expect(createPayment(100n, { lines: [line('5000001')] })).rejects.toThrow(
      'the lines of a payment are 5000001, and its amount is 5000000',
    );
    const { id } = await createPayment(100n, { lines });
    await expect(db.payment.update({ where: { id }, data: { lines: [line('5000000')] } })).rejects.toThrow(
      'the lines of a payment do not change',
    );
    expect((await db.payment.update({ where: { id }, data: { failureCode: null } })).lines).toEqual(lines);
  });

  it('a payment that owes nothing, or is waived without a reason', async () => {
    const { createPayment } = await createRows();
    await expect(createPayment(100n, { amount: 0n })).rejects.toThrow('Payment_owed');
    await expect(createPayment(100n, { amount: -1n, status: 'WAIVED' })).rejects.toThrow('Payment_owed');
    await expect(createPayment(100n, { status: 'WAIVED' })).rejects.toThrow('Payment_waived_whole');
    const waived = { amount: 0n, status: 'WAIVED', waivedReason: 'NOTHING_OWED', lines: [] } as const;
    expect(await createPayment(100n, waived)).toMatchObject({ amount: 0n, paidAmount: 0n });
  });

  it('a second attempt while one may still land', async () => {
    const { createPayment } = await createRows();
    const { id: paymentId } = await createPayment(100n);
    const transaction = await db.transferTransaction.create({
      data: {
        environment: 'TEST',
        signature: `signature-${serial}`,
        wire: Buffer.from('x'),
        lastValidBlockHeight: 1n,
        createdAt: NOW,
      },
    });
    const attempt = () =>
      db.attempt.create({
        data: { paymentId, status: 'SUBMITTED', transactionId: transaction.id, createdAt: NOW },
      });
    const first = await attempt();
    await expect(attempt()).rejects.toThrow('Unique constraint');
    await db.attempt.update({ where: { id: first.id }, data: { status: 'VOID', settledAt: NOW } });
    expect((await attempt()).status).toBe('SUBMITTED');
  });

  it('two payments with one ordinal, and accepts a second payment of the period', async () => {
    const { createPayment } = await createRows();
    await createPayment(100n);
    await createPayment(100n, { ordinal: 1 });
    await expect(createPayment(100n, { ordinal: 1 })).rejects.toThrow('Unique constraint');
  });

  it('a success without its transaction, and a failure without its reason', async () => {
    const { createPayment } = await createRows();
    const { id } = await createPayment(100n);
    const change = (data: object) => db.payment.update({ where: { id }, data });
    await expect(change({ status: 'SUCCEEDED', paidAmount: 1n })).rejects.toThrow('Payment_succeeded_whole');
    await expect(change({ paidAmount: 1n })).rejects.toThrow('Payment_paid');
    await expect(
      db.attempt.create({ data: { paymentId: id, status: 'FAILED', createdAt: NOW, settledAt: NOW } }),
    ).rejects.toThrow('Attempt_failed_says_why');
  });

  it('a subscription that has ended and is due, or past due without a failure', async () => {
    const { subscription } = await createRows();
    const change = (data: object) => db.subscription.update({ where: { id: subscription.id }, data });
    await expect(change({ status: 'EXPIRED' })).rejects.toThrow('Subscription_over_is_not_tried');
    await expect(change({ status: 'PAST_DUE' })).rejects.toThrow('Subscription_past_due_has_failed');
    expect((await change({ status: 'CANCELLED', nextAttemptAt: null })).status).toBe('CANCELLED');
  });

  it('two rows for one creation at an address, but accepts the next creation', async () => {
    const { subscription } = await createRows();
    const { id: _, ...row } = subscription;
    const insertAgain = (chainCreatedAt: bigint) =>
      db.subscription.create({ data: { ...row, chainCreatedAt, metadata: {} } });
    await expect(insertAgain(1n)).rejects.toThrow('Unique constraint');
    expect((await insertAgain(2n)).address).toBe(subscription.address);
  });
});

describe('while processes of 0.2.0 run', () => {
  /** What 0.2.0 writes: the transferred amount, in place of what is owed. */
  const paid = (amount: bigint) =>
    ({ status: 'SUCCEEDED', number: 1, signature: 'paid', paidAt: NOW, amount }) as const;

  it('what they write as the amount is what was paid, and what is owed stays', async () => {
    const { createPayment } = await createRows();
    const { id } = await createPayment(100n, { lines: [{ kind: 'FLAT', text: 'Gold', amount: '5000000' }] });
    const change = (data: object) => db.payment.update({ where: { id }, data });
    expect(await change(paid(2_000_000n))).toMatchObject({ amount: 5_000_000n, paidAmount: 2_000_000n });
    // A second part is added to the amount that was read.
    expect(await change({ amount: 8_000_000n })).toMatchObject({
      amount: 5_000_000n,
      paidAmount: 5_000_000n,
    });
    expect(await change({ finalized: true })).toMatchObject({ amount: 5_000_000n, paidAmount: 5_000_000n });
    const reversed = { status: 'DUE', number: null, signature: null, paidAt: null, amount: 5_000_000n };
    expect(await change(reversed)).toMatchObject({ amount: 5_000_000n, paidAmount: 0n, status: 'DUE' });
  });

  it('a payment that they record as paid has its amount as the paid amount', async () => {
    const { createPayment } = await createRows();
    expect(await createPayment(100n, paid(3n))).toMatchObject({ amount: 3n, paidAmount: 3n, lines: null });
  });
});
