import { expect, inject, it } from 'vitest';
import { connectDb } from '../../src/db/db.ts';
import { afterCommit, inTransaction, type TransactionContext } from '../../src/jobs/in-transaction.ts';
import { cloneDatabase } from '../support/postgres.ts';

it('functions run after the commit of a transaction, and not after its rollback', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const ctx = { db } as TransactionContext;
  const calls: string[] = [];
  const refused = inTransaction(ctx, async (tx) => {
    afterCommit(tx, () => void calls.push('rolled back'));
    await tx.$executeRaw`SELECT 1 / 0`;
  });
  await expect(refused).rejects.toThrow('division by zero');
  const answer = await inTransaction(ctx, async (tx) => {
    afterCommit(tx, () => void calls.push('committed'));
    afterCommit(tx, () => void calls.push('committed, too'));
    expect(calls).toEqual([]);
    return tx.$queryRaw`SELECT 1 AS "one"`;
  });
  expect(answer).toEqual([{ one: 1 }]);
  expect(calls).toEqual(['committed', 'committed, too']);
  // Nothing would call a function that is passed in a transaction that Prisma started itself.
  const foreign = db.$transaction(async (tx) => afterCommit(tx, () => void calls.push('never')));
  await expect(foreign).rejects.toThrow(
    'work around a commit needs a transaction that inTransaction started',
  );
});
