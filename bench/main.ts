import { readFile, writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { strictUsage } from '../bin/strict-usage.ts';
import { BENCHES } from './benches.ts';
import { withFigureTables } from './figure-tables.ts';
import { ATTACKS } from './flood/attacks.ts';
import { STRANGER_ATTACK_NAMES } from './flood/figures.ts';
import { report } from './lib/figures.ts';

const PAGE = new URL('../docs/benchmarks.md', import.meta.url);
/** Options that only one bench has. */
const OPTIONS: Readonly<Record<string, readonly Option[]>> = {
  flood: [
    new Option('--store <store>', 'only this store of counters').choices(['postgresql', 'redis']),
    new Option('--attack <attack>', 'only this attack').choices([
      ...Object.keys(ATTACKS),
      ...STRANGER_ATTACK_NAMES,
    ]),
    new Option('--from <addresses>', 'only from one address, or only from many').choices(['one', 'many']),
    new Option('--behind <front>', 'behind the HAProxy of deploy/').choices(['proxy']),
  ],
};

const bench = new Command('npm run bench --').description('Measures one part of dues.').helpCommand(false);
for (const [name, { measures, figures, parts, load }] of Object.entries(BENCHES)) {
  const command = bench
    .command(name)
    .description(measures)
    .action(async (options) => report(figures, await (await load()).default(options as never)));
  if (parts) command.addOption(new Option('--only <part>', 'only this part').choices(parts));
  for (const option of OPTIONS[name] ?? []) command.addOption(option);
}
bench
  .command('docs')
  .description('measures nothing, and writes the tables of targets into docs/benchmarks.md')
  .action(async () => writeFile(PAGE, withFigureTables(await readFile(PAGE, 'utf8'))));
await strictUsage(bench).parseAsync();
// Exits explicitly, because the embedded database's package overrides the exit code otherwise.
process.exit();
