import { Command } from 'commander';
import { databaseFromEnv } from '../../src/config/part-from-env.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';

/** `dues migrate`: applies the migrations to the database of DATABASE_URL. */
export function migrateCommand(): Command {
  return new Command('migrate').action(async () => {
    const applied = await exitOnFailure('migrate', migrate());
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log('nothing to apply');
  });
}

async function migrate(): Promise<string[]> {
  const config = readConfig(databaseFromEnv);
  const databaseUrl = config.directDatabaseUrl ?? config.databaseUrl;
  const { applyMigrations } = await import('../../src/postgres/schema-engine.ts');
  const { assertDatabaseReachable } = await import('../../src/postgres/assert-database-reachable.ts');
  const variable = config.directDatabaseUrl ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL';
  await assertDatabaseReachable(databaseUrl, variable);
  return applyMigrations(databaseUrl, { onWait: (message) => console.error(message) });
}
