import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { insertRows, recordsOf, updateRows } from '../../src/db/bulk.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { seedCustomer, seedPlan, seedScope, subscriptionRow } from '../../tools/world/rows.ts';
import { takeDatabase } from '../support/shared-database.ts';

const { db } = await takeDatabase();
const MAX = 2n ** 63n - 1n;
const at = new Date('2026-02-28T23:59:59.999Z');

async function newSubscription() {
  const scope = await seedScope(db);
  const plan = await seedPlan(db, scope);
  return {
    scope,
    ...(await db.subscription.create({ data: subscriptionRow(plan, await seedCustomer(db, scope), at) })),
  };
}

it('inserts and updates rows with values of every kind of column', async () => {
  const { scope, id: subscriptionId } = await newSubscription();
  const text = `"quoted" 'twice' \\ back \u{1F600} \u2028`;
  const payments = [0n, -1n, MAX].map((periodStart, index) => ({
    id: randomUUID(),
    ...scope,
    subscriptionId,
    periodStart,
    dueAt: at,
    amount: MAX - BigInt(index),
    status: 'DUE' as const,
    number: null,
    signature: null,
    collectedByUs: index === 0,
    paidAt: null,
  }));
  const columns = [
    'id',
    'merchantId',
    'environment',
    'subscriptionId',
    'periodStart',
    'dueAt',
    'amount',
    'status',
  ] as const;
  await insertRows(db, 'Payment', [...columns, 'collectedByUs'], payments);
  const read = () => db.payment.findMany({ where: { subscriptionId }, orderBy: { amount: 'desc' } });
  expect(await read()).toMatchObject(payments);

  const paid = payments.map((payment, index) => ({
    ...payment,
    status: 'SUCCEEDED' as const,
    number: index + 1,
    signature: text,
    paidAt: at,
    paidAmount: payment.amount,
  }));
  await updateRows(
    db,
    'Payment',
    ['status', 'number', 'signature', 'paidAt', 'paidAmount'],
    paid,
    Prisma.sql`"Payment"."periodStart" >= 0`,
  );
  expect(await read()).toMatchObject([paid[0], payments[1], paid[2]]);
});

it('inserts bytes, JSON and defaults', async () => {
  const { environment } = await newSubscription();
  const wire = new Uint8Array([0, 1, 92, 120, 255]);
  const error = { InstructionError: [0, { Custom: 400 }], text: '\\x00', list: [null, true] };
  const row = {
    id: randomUUID(),
    environment,
    signature: randomUUID(),
    wire,
    lastValidBlockHeight: MAX,
    error,
    createdAt: at,
  };
  await insertRows(
    db,
    'TransferTransaction',
    ['id', 'environment', 'signature', 'wire', 'lastValidBlockHeight', 'error', 'createdAt'],
    [row],
  );
  const found = await db.transferTransaction.findUniqueOrThrow({ where: { id: row.id } });
  expect(found).toMatchObject({ ...row, status: 'SUBMITTED', feeLamports: null });
});

it('writes no field that is not one of the columns', async () => {
  const { environment } = await newSubscription();
  const unread = {
    toJSON: () => {
      throw new Error('a field that is no column was written');
    },
  };
  const row = {
    id: randomUUID(),
    environment,
    signature: randomUUID(),
    lastValidBlockHeight: 1n,
    createdAt: at,
  };
  const wire = new Uint8Array();
  const columns = ['id', 'environment', 'signature', 'lastValidBlockHeight', 'createdAt', 'wire'] as const;
  await insertRows(db, 'TransferTransaction', columns, [{ ...row, wire, unread } as never]);
  await updateRows(
    db,
    'TransferTransaction',
    ['lastValidBlockHeight'],
    [{ ...row, lastValidBlockHeight: 2n, unread } as never],
  );
  const found = await db.transferTransaction.findUniqueOrThrow({ where: { id: row.id } });
  expect(found.lastValidBlockHeight).toBe(2n);
});

it('gives a column without a field as null, and an empty list as no row', async () => {
  const rows = (list: { id: string }[]) =>
    db.$queryRaw`SELECT "id", "planId", "amount" FROM ${recordsOf('Payment', list)} AS r`;
  const id = randomUUID();
  expect(await rows([{ id }])).toEqual([{ id, planId: null, amount: null }]);
  expect(await rows([])).toEqual([]);
  await insertRows(db, 'Payment', ['id'], []);
});
