import { expect, inject, it } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
import { inTransaction, type TransactionContext, whenCommitted } from '../../src/jobs/in-transaction.ts';
import { cloneDatabase } from '../support/postgres.ts';

it('counts of a transaction are added when it commits, and not if it rolls back', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const ctx = { db } as TransactionContext;
  const calls: string[] = [];
  const refused = inTransaction(ctx, async (tx) => {
    whenCommitted(tx, () => calls.push('rolled back'));
    await tx.$executeRaw`SELECT 1 / 0`;
  });
  await expect(refused).rejects.toThrow('division by zero');
  const answer = await inTransaction(ctx, async (tx) => {
    whenCommitted(tx, () => calls.push('committed'));
    whenCommitted(tx, () => calls.push('committed, too'));
    expect(calls).toEqual([]);
    return tx.$queryRaw`SELECT 1 AS "one"`;
  });
  expect(answer).toEqual([{ one: 1 }]);
  expect(calls).toEqual(['committed', 'committed, too']);
});
