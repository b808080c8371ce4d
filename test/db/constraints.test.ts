import { randomUUID } from 'node:crypto';
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

  it('a plan whose payments are spread over too long a time', async () => {
    const { plan } = await createRows();
    const change = (collectWithinSeconds: number, maxCollectWithinSeconds = collectWithinSeconds) =>
      db.plan.update({ where: { id: plan.id }, data: { collectWithinSeconds, maxCollectWithinSeconds } });
    for (const seconds of [-1, 3_601]) {
      await expect(change(seconds)).rejects.toThrow('Plan_collect_within');
    }
    await expect(change(60, 59)).rejects.toThrow('Plan_collect_within');
    await db.plan.update({ where: { id: plan.id }, data: { intervalSeconds: 3_600, periodSeconds: 3_600 } });
    await expect(change(361)).rejects.toThrow('Plan_collect_within');
    expect(await change(0, 360)).toMatchObject({ collectWithinSeconds: 0, maxCollectWithinSeconds: 360 });
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

  /** How 0.2.0 claims what is due. */
  const CLAIM = `
    UPDATE "Subscription" SET "claimedUntil" = statement_timestamp() + interval '60 seconds'
    WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Subscription"
      WHERE "environment" = 'TEST' AND "status" IN ('ACTIVE', 'PAST_DUE') AND "nextAttemptAt" <= $1
        AND ("claimedUntil" IS NULL OR "claimedUntil" <= statement_timestamp()) AND "id" = ANY($2::uuid[])
      ORDER BY "nextAttemptAt" LIMIT 228
      FOR UPDATE SKIP LOCKED))
    RETURNING "id", "claimedUntil" AS "until"`;
  /** How 0.2.0 adds the payments of claimed subscriptions. */
  const INSERT = `
    INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "periodStart", "dueAt", "amount",
      "status", "number", "signature", "collectedByUs", "paidAt", "undecidedSince", "createdAt")
    SELECT r.* FROM jsonb_to_recordset($1::jsonb) AS r("id" uuid, "merchantId" uuid,
      "environment" "Environment", "subscriptionId" uuid, "periodStart" bigint, "dueAt" timestamptz, "amount" bigint,
      "status" "PaymentStatus", "number" int, "signature" text, "collectedByUs" boolean, "paidAt" timestamptz,
      "undecidedSince" timestamptz, "createdAt" timestamptz)`;
  /** How 0.2.0 changes payments. */
  const UPDATE = `
    UPDATE "Payment" SET "amount" = r."amount", "status" = r."status", "number" = r."number",
      "signature" = r."signature", "collectedByUs" = r."collectedByUs", "paidAt" = r."paidAt",
      "undecidedSince" = r."undecidedSince"
    FROM jsonb_to_recordset($1::jsonb) AS r("id" uuid, "amount" bigint, "status" "PaymentStatus",
      "number" int, "signature" text, "collectedByUs" boolean, "paidAt" timestamptz, "undecidedSince" timestamptz)
    WHERE "Payment"."id" = r."id"`;
  const claim = async (...ids: readonly string[]) =>
    (await db.$queryRawUnsafe<{ id: string }[]>(CLAIM, NOW, ids)).map(({ id }) => id);

  it('they neither claim a subscription with a source of lines nor write its payment', async () => {
    const [plain, priced] = [await createRows(), await createRows()];
    const both = [plain.subscription.id, priced.subscription.id];
    await db.subscription.update({ where: { id: priced.subscription.id }, data: { lineSources: 1 } });
    expect(await claim(...both)).toEqual([plain.subscription.id]);
    const insert = ({ scope, subscription: { id } }: typeof plain) => {
      const payment = { id: randomUUID(), ...scope, subscriptionId: id, periodStart: 100, dueAt: NOW };
      const columns = { amount: '5000000', status: 'DUE', collectedByUs: true, createdAt: NOW };
      return db.$executeRawUnsafe(INSERT, JSON.stringify([{ ...payment, ...columns }]));
    };
    await expect(insert(priced)).rejects.toThrow('written by a later release, with lines');
    expect(await insert(plain)).toBe(1);
    expect(await db.payment.count({ where: { subscriptionId: priced.subscription.id } })).toBe(0);
  });

  it('they lose the claim of a subscription that gets a source of lines', async () => {
    const { subscription } = await createRows();
    const { id } = subscription;
    expect(await claim(id)).toEqual([id]);
    const changed = await db.subscription.update({ where: { id }, data: { lineSources: 1 } });
    expect(changed.claimedUntil).toBeNull();
    expect(await claim(id)).toEqual([]);
  });

  it('they do not end an expired transaction whose second pull would fit', async () => {
    const [plain, priced] = [await createRows(), await createRows()];
    await db.subscription.update({ where: { id: priced.subscription.id }, data: { lineSources: 1 } });
    const submitted = async ({ createPayment, scope: { environment } }: typeof plain) => {
      const { id: paymentId } = await createPayment(100n, {
        lines: [{ kind: 'FLAT', text: '', amount: '5000000' }],
      });
      const attempt = { paymentId, status: 'SUBMITTED', createdAt: NOW } as const;
      return db.transferTransaction.create({
        data: {
          environment,
          signature: randomUUID(),
          wire: Buffer.from('wire'),
          lastValidBlockHeight: 1n,
          createdAt: NOW,
          attempts: { create: attempt },
        },
      });
    };
    const expire = ({ id }: { id: string }, expiredAtSlot: bigint | null) =>
      db.transferTransaction.update({ where: { id }, data: { status: 'EXPIRED', expiredAtSlot } });
    const [ofPlain, ofPriced] = [await submitted(plain), await submitted(priced)];
    await expect(expire(ofPriced, null)).rejects.toThrow('ended by a later release');
    expect(await expire(ofPlain, null)).toMatchObject({ status: 'EXPIRED' });
    expect(await expire(ofPriced, 9n)).toMatchObject({ status: 'EXPIRED', expiredAtSlot: 9n });
  });

  it('they record no failure of a plan whose retry policy they do not know', async () => {
    const [quick, days] = [await createRows(), await createRows()];
    const { planId } = days.subscription;
    await db.plan.update({ where: { id: planId }, data: { retryPolicy: 'DAYS' } });
    const fail = (id: string, failureCount: number) =>
      db.subscription.update({ where: { id }, data: { status: 'PAST_DUE', failureCount } });
    expect(await fail(quick.subscription.id, 1)).toMatchObject({ failureCount: 1 });
    await expect(fail(days.subscription.id, 1)).rejects.toThrow('recorded by a later release');
    const { id } = days.subscription;
    const recordFailure = () =>
      db.$executeRaw`UPDATE "Subscription" SET "status" = 'PAST_DUE', "failureCount" = "failureCount" + 1,
        "claimSources" = 1 WHERE "id" = ${id}::uuid`;
    expect(await recordFailure()).toBe(1);
    // What a release knows is not stored: the next one has to name it again.
    await expect(fail(id, 2)).rejects.toThrow('recorded by a later release');
    // They may record that it was paid.
    expect(
      await db.subscription.update({ where: { id }, data: { status: 'ACTIVE', failureCount: 0 } }),
    ).toMatchObject({ status: 'ACTIVE' });
  });

  it('they leave no end of access when they collect a payment that waits for a top-up', async () => {
    const { id } = (await createRows()).subscription;
    await db.subscription.update({
      where: { id },
      data: { status: 'PAST_DUE', failureCount: 1, accessUntil: NOW },
    });
    const paid = { status: 'ACTIVE', failureCount: 0 } as const;
    await db.subscription.update({ where: { id }, data: paid });
    expect(await db.subscription.findUnique({ where: { id } })).toMatchObject({ ...paid, accessUntil: null });
  });

  it('they do not change a period with several payments', async () => {
    const { createPayment } = await createRows();
    const update = (id: string, status: string) => {
      const paidAs = status === 'SUCCEEDED' ? { number: 1, signature: 'paid', paidAt: NOW } : {};
      const row = { id, amount: '7', status, collectedByUs: true, ...paidAs };
      return db.$executeRawUnsafe(UPDATE, JSON.stringify([row]));
    };
    const first = await createPayment(100n);
    expect(await update(first.id, 'MISSED')).toBe(1);
    const second = await createPayment(100n, { ordinal: 1 });
    for (const { id } of [first, second]) {
      await expect(update(id, 'SUCCEEDED')).rejects.toThrow('is changed by a later release');
    }
    const payments = await db.payment.findMany({ where: { subscriptionId: first.subscriptionId } });
    expect(payments.map(({ status }) => status).sort()).toEqual(['DUE', 'MISSED']);
  });

  it('a payment that they record as paid has its amount as the paid amount', async () => {
    const { createPayment } = await createRows();
    expect(await createPayment(100n, paid(3n))).toMatchObject({ amount: 3n, paidAmount: 3n, lines: null });
  });
});
