import { expect, it } from 'vitest';
import { connectDb, type PreparedStatement, runPreparedAsText } from '../../src/db/db.ts';
import { takeDatabase } from '../support/shared-database.ts';

const { url } = await takeDatabase();

const COLUMNS: PreparedStatement = {
  name: 'test.columns',
  text: `SELECT 12 / $1::int, $2::text, NULL, now() < 'infinity' FROM generate_series(1, $3::int)`,
};

// Without a name as behind a pooler.
it.each([false, true])('reads rows as texts on one connection, pooled %s', async (isPooled) => {
  const db = connectDb(url, { connections: 1, isPooled });
  for (const text of ['first', 'prepared\u{1F600}', '']) {
    const row = ['4', text, null, 't'];
    expect(await runPreparedAsText(db, COLUMNS, [3, text, 2])).toEqual([row, row]);
    await expect(runPreparedAsText(db, COLUMNS, [0, text, 2])).rejects.toThrow('division by zero');
    expect(await runPreparedAsText(db, COLUMNS, [3, text, 0])).toEqual([]);
  }
  await db.$disconnect();
});

it('a statement that cannot be prepared fails each time, and the connection stays', async () => {
  const db = connectDb(url, { connections: 1 });
  const invalid: PreparedStatement = { name: 'test.invalid', text: 'SELECT nothing' };
  for (const _ of [1, 2]) {
    await expect(runPreparedAsText(db, invalid, [])).rejects.toThrow('"nothing" does not exist');
    expect(await runPreparedAsText(db, COLUMNS, [3, 'text', 1])).toEqual([['4', 'text', null, 't']]);
  }
  await db.$disconnect();
});

it('a connection keeps a statement under its newest name only', async () => {
  const db = connectDb(url, { connections: 1 });
  const statement = { ...COLUMNS, name: 'test.renamed', text: `/* renamed */ ${COLUMNS.text}` };
  for (let run = 0; run < 11; run++) await runPreparedAsText(db, statement, [3, 'text', 1]);
  const names = await db.$queryRaw`SELECT "name" FROM pg_prepared_statements WHERE "name" LIKE 'test.%'`;
  expect(names).toEqual([{ name: 'test.renamed.2' }]);
  await db.$disconnect();
});
