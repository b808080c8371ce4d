import { Client } from 'pg';

export interface Statement {
  /** The name of a prepared statement. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs `work` and returns the SQL statements that this process sends meanwhile, except those that
 * start and end transactions, and the empty one that asks a connection that was idle.
 */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [statement, values = []] = args as [string | Partial<Statement>, unknown[]?];
    const {
      name,
      text,
      values: ownValues = values,
    }: Partial<Statement> = typeof statement === 'string' ? { text: statement } : statement;
    if (text && !/^(BEGIN|COMMIT|ROLLBACK)/.test(text))
      statements.push({ ...(name !== undefined && { name }), text, values: ownValues });
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    Client.prototype.query = query;
  }
  return statements;
}
