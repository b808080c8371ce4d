// `npm run chaos -- [--short] [--failover[=synchronous|asynchronous]] [--seed N]`. The exit code is 0 only if all checks pass.
import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { strictUsage } from '../bin/strict-usage.ts';
import { REPLICATIONS, type Replication } from './replication.ts';

const MAX_SEED = 2 ** 31 - 1;

const options = strictUsage(
  new Command('npm run chaos --')
    .description('Causes faults in everything around dues, and checks that no payment or webhook is lost.')
    .option('--short', 'a small run of two rounds that takes at most four minutes', false)
    .addOption(
      new Option(
        '--failover [replication]',
        'PostgreSQL has a standby, which takes over once. With synchronous replication nothing that was confirmed may be lost; with asynchronous replication what is lost must be back from the chain, or in the time that service.restored and "dues reconcile" name',
      )
        .choices(REPLICATIONS)
        .preset('synchronous' satisfies Replication),
    )
    .option('--seed <number>', 'repeats the run that printed this seed (default: a random seed)', parseSeed),
)
  .parse()
  .opts<{ readonly short: boolean; readonly failover?: Replication; readonly seed?: number }>();
const { runAndReport } = await import('./run-and-report.ts');
process.exit(
  await runAndReport({
    short: options.short,
    failover: options.failover,
    seed: options.seed ?? randomInt(MAX_SEED),
  }),
);

function parseSeed(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_SEED) {
    throw new InvalidArgumentError(`The seed must be a whole number from 0 to ${MAX_SEED}.`);
  }
  return Number(text);
}
