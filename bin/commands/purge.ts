import { Command } from 'commander';
import { createBooksContext } from '../books-context.ts';
import { exitOnFailure } from '../expected-failure.ts';

/** `dues purge`: deletes all rows past their retention. Workers delete the same rows in steps. */
export function purgeCommand(): Command {
  return new Command('purge')
    .addHelpText(
      'after',
      '\nMay run at any time next to other processes. It deletes in small batches, so it can be stopped at any time.',
    )
    .action(() => exitOnFailure('purge', purgeAll()));
}

async function purgeAll(): Promise<void> {
  await using books = await createBooksContext({ isReading: false });
  const { ctx } = books;
  const { checkClock } = await import('../../src/domain/messages/webhook/delivery/check-clock.ts');
  const { purge } = await import('../../src/domain/maintenance/retention/purge.ts');
  const clock = await checkClock(ctx);
  if (clock !== 'right') {
    const reason =
      clock === 'wrong'
        ? 'the clock of this machine differs by more than a day from every cluster that responds'
        : 'no cluster responds';
    console.error(`dues purge: ${reason}, so the age of rows is unknown: nothing was removed`);
    process.exitCode = 1;
    return;
  }
  const { purgeDeliveries } = await import('../../src/domain/messages/webhook/delivery/purge-deliveries.ts');
  const all = { batches: Number.POSITIVE_INFINITY };
  const deliveries = await purgeDeliveries(ctx, all);
  const purged = { deliveries, ...(await purge(ctx, all)) };
  for (const [kind, rows] of Object.entries(purged)) console.log(`${kind}: ${rows}`);
}
