import { afterAll, describe, expect, inject, it } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
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
  const createPayment = (periodStart: bigint) =>
    db.payment.create({
      data: { ...scope, subscriptionId: subscription.id, periodStart, dueAt: NOW, amount: 5_000_000n },
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

  it('a success without its transaction, and a failure without its reason', async () => {
    const { createPayment } = await createRows();
    const { id } = await createPayment(100n);
    await expect(db.payment.update({ where: { id }, data: { status: 'SUCCEEDED' } })).rejects.toThrow(
      'Payment_succeeded_whole',
    );
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
