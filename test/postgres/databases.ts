import { randomUUID } from 'node:crypto';
import { runAsAdmin, type TestDatabase } from '../support/postgres.ts';

/** Creates an empty database without the schema. */
export async function createEmptyDatabase(templateUrl: string): Promise<TestDatabase> {
  const url = new URL(templateUrl);
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  url.pathname = `/${name}`;
  await runAsAdmin(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  return { url: url.href, drop: () => runAsAdmin(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
