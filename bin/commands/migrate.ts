import { Command } from 'commander';
import { DatabaseUnusable } from '../../src/app.ts';
import { configFromEnv } from '../../src/config.ts';
import { applyMigrations } from '../../src/database/schema-engine.ts';
import { orExplain } from '../expected-failure.ts';

/** `dues migrate`: brings the database of DATABASE_URL up to date. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database up to date; run it before a new release is started')
    .action(async () => {
      const applied = await orExplain('migrate', migrate());
      for (const name of applied) console.log(`applied ${name}`);
      if (applied.length === 0) console.log('nothing to apply');
    });
}

async function migrate(): Promise<string[]> {
  const { databaseUrl } = configFromEnv(process.env);
  return applyMigrations(databaseUrl).catch((cause: Error) => {
    throw new DatabaseUnusable(`The database cannot be used: ${cause.message.split('\n')[0]}`, { cause });
  });
}
