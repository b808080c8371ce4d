import { Client } from 'pg';
import { median } from '../lib/statistics.ts';
import type { QueryStatement } from './world.ts';

/** The cost of a statement. */
export interface Cost {
  readonly name: string;
  readonly text: string;
  /** Median of the runs. */
  readonly ms: number;
  /** Database pages that were read. */
  readonly blocks: number;
  /** Tables that were read completely. */
  readonly walked: readonly string[];
  /** Rows that were read and filtered out. */
  readonly discarded: number;
}

const UNIQUE_VIOLATION = '23505';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Node[];
}

/** Runs statements with EXPLAIN ANALYZE, each in a transaction that is rolled back. */
export async function measureCosts(
  databaseUrl: string,
  statements: readonly QueryStatement[],
  runs: number,
): Promise<Cost[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const costs: Cost[] = [];
    for (const statement of statements) costs.push(await measureCost(client, statement, runs));
    return costs;
  } finally {
    await client.end();
  }
}

async function measureCost(
  client: Client,
  { name, text, values }: QueryStatement,
  runs: number,
): Promise<Cost> {
  const times: number[] = [];
  const walked = new Set<string>();
  let [blocks, discarded] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const explained =
      (await explain(client, 'ANALYZE, BUFFERS, TIMING OFF', { text, values })) ??
      (await explain(client, 'COSTS', { text, values }));
    if (!explained) throw new Error(`${name} was not explained`);
    times.push(explained['Execution Time'] ?? 0);
    blocks = (explained.Plan['Shared Hit Blocks'] ?? 0) + (explained.Plan['Shared Read Blocks'] ?? 0);
    discarded = countDiscarded(explained.Plan);
    for (const table of findWalkedTables(explained.Plan)) walked.add(table);
  }
  return { name, text, ms: median(times), blocks, walked: [...walked], discarded };
}

interface Explained {
  readonly Plan: Node;
  readonly 'Execution Time'?: number;
}

/** Explains a statement. Undefined if its row already exists, so that it cannot run again. */
async function explain(
  client: Client,
  options: string,
  { text, values }: Pick<QueryStatement, 'text' | 'values'>,
): Promise<Explained | undefined> {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>({
      text: `EXPLAIN (${options}, FORMAT JSON) ${text}`,
      values: [...values],
    });
    return rows[0]?.['QUERY PLAN'][0];
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return undefined;
  } finally {
    await client.query('ROLLBACK');
  }
}

function findWalkedTables(node: Node): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(findWalkedTables)];
}

function countDiscarded(node: Node): number {
  // A CTE scan reads only the parameters of the statement: at most one batch of rows.
  const isTable = node['Node Type'] !== 'CTE Scan';
  const own = isTable ? (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1) : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + countDiscarded(child), own);
}
