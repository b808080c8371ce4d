import { Client } from 'pg';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements of `work` in this process, except those that start and end transactions. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [asked, values = []] = args as [string | Partial<Statement>, unknown[]?];
    const { text, values: own = values } = typeof asked === 'string' ? { text: asked } : asked;
    if (text !== undefined && !/^(BEGIN|COMMIT|ROLLBACK)/.test(text)) seen.push({ text, values: own });
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    Client.prototype.query = query;
  }
  return seen;
}
