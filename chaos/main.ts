// `npm run chaos [-- --short] [-- --seed N]`. The exit code is 0 only without errors.
import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { strictUsage } from '../bin/strict-usage.ts';

const SEEDS = 2 ** 31 - 1;

const options = strictUsage(
  new Command('npm run chaos --')
    .description('Breaks everything around dues in turn, and checks that no payment or webhook is lost.')
    .option('--short', 'one round that takes at most four minutes', false)
    .option('--seed <number>', 'repeats the run that printed it (default: a random one)', seedNumber),
)
  .parse()
  .opts<{ readonly short: boolean; readonly seed?: number }>();
const { runAndReport } = await import('./run-and-report.ts');
process.exit(await runAndReport({ short: options.short, seed: options.seed ?? randomInt(SEEDS) }));

function seedNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > SEEDS) {
    throw new InvalidArgumentError(`The seed must be a whole number from 0 to ${SEEDS}.`);
  }
  return Number(text);
}
