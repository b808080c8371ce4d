import { expect } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { recordStatements } from '../../tools/statements.ts';

/** The number of database pages that the most expensive statement of `work` reads. */
export async function countBlocksRead(db: Db, work: () => Promise<unknown>): Promise<number> {
  const statements = await recordStatements(work);
  expect(statements).not.toEqual([]);
  const costs: number[] = [];
  for (const { text, values } of statements) {
    const plan = await db.$queryRawUnsafe<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      ...values,
    );
    const { Plan } = plan[0]?.['QUERY PLAN'][0] ?? { Plan: {} };
    costs.push((Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0));
  }
  return Math.max(...costs);
}
