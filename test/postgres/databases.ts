import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { TestDatabase } from '../support/postgres.ts';

/** Creates an empty database without the schema. */
export async function createEmptyDatabase(templateUrl: string): Promise<TestDatabase> {
  const admin = new URL(templateUrl);
  admin.pathname = '/postgres';
  const url = new URL(templateUrl);
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  url.pathname = `/${name}`;
  await runAsAdmin(admin, `CREATE DATABASE ${name} TEMPLATE template0`);
  return { url: url.href, drop: () => runAsAdmin(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function runAsAdmin(admin: URL, sql: string): Promise<void> {
  const client = new Client({ connectionString: admin.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
