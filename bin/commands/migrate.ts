import { Command } from 'commander';
import { databaseFromEnv } from '../../src/config/part-from-env.ts';
import { orExplain } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';

/** `dues migrate`: brings the database of DATABASE_URL up to date. */
export function migrateCommand(): Command {
  return new Command('migrate').action(async () => {
    const applied = await orExplain('migrate', migrate());
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log('nothing to apply');
  });
}

async function migrate(): Promise<string[]> {
  const { databaseUrl } = readConfig(databaseFromEnv);
  const { applyMigrations } = await import('../../src/database/schema-engine.ts');
  const { assertDatabaseReachable } = await import('../../src/database/assert-database-reachable.ts');
  await assertDatabaseReachable(databaseUrl);
  return applyMigrations(databaseUrl);
}
