import { Command } from 'commander';
import { systemClock } from '../../src/clock.ts';
import { databaseFromEnv } from '../../src/config/part-from-env.ts';
import { connectDb } from '../../src/db/db.ts';
import { oneLine } from '../../src/domain/kernel/input/one-line.ts';
import { openRestores, type Restore } from '../../src/domain/maintenance/after-restore/open-restores.ts';
import { Environment } from '../../src/generated/prisma/client.ts';
import { giveUpChange } from '../../src/jobs/kept-changes.ts';
import { assertDatabaseReachable } from '../../src/postgres/assert-database-reachable.ts';
import { assertMigrated } from '../../src/postgres/migrations.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';
import { tableLines } from '../table-lines.ts';
import { withJobs } from './queues.ts';

/**
 * `dues restores`: after the database came back without its newest rows, shows what may be lost, which
 * merchants were active then, and which of them have checked.
 */
export function restoresCommand(): Command {
  const giveUp = new Command('give-up')
    .description('go on without a change of the lost time that is kept in Redis and cannot be read')
    .argument('<id>', 'id of the change, from the log of the worker')
    .action((id: string) =>
      exitOnFailure(
        'restores give-up',
        withJobs((jobs, config) => giveUpKept({ jobs, config }, id)),
      ),
    );
  return new Command('restores').action(() => exitOnFailure('restores', printRestores())).addCommand(giveUp);
}

async function giveUpKept(ctx: Parameters<typeof giveUpChange>[0], id: string): Promise<void> {
  const given = await giveUpChange(ctx, id);
  if (given === 'unknown') throw new Error(`There is no kept change ${id}.`);
  if (given === 'readable')
    throw new Error(`The change ${id} can be read, so it is done again: nothing is given up.`);
  console.log(`Given up: change ${id} of ${given.keptAt.toISOString()}: ${oneLine(given.content)}`);
}

async function printRestores(): Promise<void> {
  const { databaseUrl } = readConfig(databaseFromEnv);
  await assertDatabaseReachable(databaseUrl);
  await using closing = new AsyncDisposableStack();
  const ctx = { db: connectDb(databaseUrl), clock: systemClock };
  closing.defer(() => ctx.db.$disconnect());
  await assertMigrated(ctx.db);
  const restores = await Promise.all(Object.values(Environment).map((name) => openRestores(ctx, name)));
  const found = restores.flat();
  for (const restore of found) console.log(restoreLines(restore).join('\n'));
  if (found.length === 0) console.log('The database has never come back without its newest rows.');
}

function restoreLines(restore: Restore): string[] {
  const { environment, number, lostFrom, lostUntil, readAt, duePayments, voidReceipts, notPutBack } = restore;
  const label = `${environment.toLowerCase()}:`;
  const from = lostFrom === null ? '' : `from ${lostFrom.toISOString()} `;
  return [
    `${label} timeline ${number}: rows written ${from}until ${lostUntil.toISOString()} may be lost`,
    readAt === null
      ? `${label} nothing is collected until the chain has been read: ${duePayments} payments are held`
      : `${label} payments have been collected again since ${readAt.toISOString()}`,
    `${label} ${voidReceipts} receipt numbers are void`,
    ...notPutBack.map(
      ({ kind, id, merchantId, reason }) =>
        `${label} could not be done again: ${kind} of ${id} (merchant ${merchantId}): ${oneLine(reason)}`,
    ),
    ...merchantLines(restore, label),
  ];
}

function merchantLines({ merchants, moreMerchants }: Restore, label: string): string[] {
  if (merchants.length === 0)
    return [`${label} no merchant was active within the hour before that time, or in it`];
  const rows = merchants.map(({ id, companyName, checkedAt, events, checkouts, keys, changes }) => [
    id,
    companyName,
    checkedAt?.toISOString() ?? 'no',
    ...[events, checkouts, keys, changes].map(String),
  ]);
  const headings = ['merchant', 'name', 'checked', 'events', 'checkouts', 'new keys', 'changes'];
  return [
    `${label} merchants that were active within the hour before that time, or in it:`,
    ...tableLines(headings, rows, 4),
    ...(moreMerchants > 0 ? [`and ${moreMerchants} more merchants`] : []),
  ];
}
