// `npm run demo` shows the whole product in one story. The exit code is 0 only if every figure is
// correct.
import { Command } from 'commander';
import { exitOnFailure } from '../bin/expected-failure.ts';
import { strictUsage } from '../bin/strict-usage.ts';

const { redis } = strictUsage(
  new Command('npm run demo --')
    .description(
      'Plays twelve days of a merchant on an embedded database and network, and checks every figure.',
    )
    .option('--redis <url>', 'keeps the jobs in this empty Redis, not in PostgreSQL'),
)
  .parse()
  .opts<{ readonly redis?: string }>();
const { playDemo } = await import('./play-demo.ts');
process.exit(await exitOnFailure('demo', playDemo(redis)));
