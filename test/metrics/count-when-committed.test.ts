import { expect, inject, it } from 'vitest';
import { connectDb } from '../../src/db.ts';
import { inCountedTransaction, whenCommitted } from '../../src/metrics/count-when-committed.ts';
import { cloneDatabase } from '../support/postgres.ts';

it('what a transaction counts is counted once it is committed, and not where it is rolled back', async () => {
  await using closing = new AsyncDisposableStack();
  const database = await cloneDatabase(inject('templateDatabaseUrl'));
  closing.defer(() => database.drop());
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());
  const counted: string[] = [];
  const refused = inCountedTransaction(db, async (tx) => {
    whenCommitted(tx, () => counted.push('rolled back'));
    await tx.$executeRaw`SELECT 1 / 0`;
  });
  await expect(refused).rejects.toThrow('division by zero');
  const answer = await inCountedTransaction(db, async (tx) => {
    whenCommitted(tx, () => counted.push('committed'));
    whenCommitted(tx, () => counted.push('committed, too'));
    expect(counted).toEqual([]);
    return tx.$queryRaw`SELECT 1 AS "one"`;
  });
  expect(answer).toEqual([{ one: 1 }]);
  expect(counted).toEqual(['committed', 'committed, too']);
});
