import { Client } from 'pg';

/** Runs a statement on a connection of its own. */
export async function runSql(databaseUrl: string, sql: string): Promise<void> {
  await querySql(databaseUrl, sql);
}

/** Runs a statement on a connection of its own. Returns its rows. */
export async function querySql(
  databaseUrl: string,
  sql: string,
  // biome-ignore lint/suspicious/noExplicitAny: rows of any statement
): Promise<Record<string, any>[]> {
  const client = new Client({ connectionString: databaseUrl });
  // The statement has the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
