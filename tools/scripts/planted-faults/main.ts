// Asks the tests whether they find faults in rules of money: plants one after another in a copy of
// the work tree, runs the tests near the rule, and stops at the first that fails. Commit first: the
// copy is of the last commit.
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, styleText } from 'node:util';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { parseWholeNumber } from '../../../bin/arguments.ts';
import { strictUsage } from '../../../bin/strict-usage.ts';
import { foldersLeftOut } from '../../../test/support/suites.ts';
import { Random } from '../../random.ts';
import { stopWithThisProcess } from '../../stop-with-this-process.ts';
import { FAULTS, type Fault } from './faults.ts';
import { moneyMutants } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The tests that are asked about a fault that those near its rule do not find. */
const WIDE = ['domain', 'scenarios', 'indexer', 'property', 'jobs', 'faults', 'protocol'];
const UNIT = ['--mode', 'unit', '--passWithNoTests'];
const run = promisify(execFile);

/** Vitest's report, as far as it is read here. */
const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

const options = strictUsage(
  new Command('npm run faults --')
    .description('Plants one-line faults in rules of money, and runs the tests that should find them.')
    .addOption(new Option('--mutants', 'change each operator of the files with rules of money instead'))
    .addOption(
      new Option('--sample <count>', 'at most as many faults, chosen by --seed').argParser(parseWholeNumber),
    )
    .addOption(new Option('--seed <number>', 'chooses the sample').argParser(parseWholeNumber).default(1))
    .addOption(new Option('--wide', 'ask more tests about a fault that the nearest do not find'))
    .addOption(
      new Option('--only <pattern>', 'only the faults whose rule, file or line matches').default(''),
    ),
)
  .parse()
  .opts<{ mutants?: boolean; sample?: number; seed: number; wide?: boolean; only: string }>();

/** The suites that find a fault; `none` if no test does. */
type FoundBy = 'main' | 'rest' | 'none';

await using closing = new AsyncDisposableStack();
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    closing.disposeAsync().finally(() => process.exit(130));
  });
}
const copy = await copyOfWorkTree(closing);
const only = new RegExp(options.only);
const all = options.mutants ? moneyMutants(copy) : FAULTS;
const matching = all.filter(({ rule, file, from }) => only.test(`${rule} ${file} ${from}`));
const chosen = options.sample
  ? new Random(options.seed).shuffled(matching).slice(0, options.sample)
  : matching;
const found: Record<FoundBy, number> = { main: 0, rest: 0, none: 0 };
const missed: string[] = [];
const results: { folder: string; by: FoundBy }[] = [];
for (const [index, fault] of chosen.entries()) {
  const { by, test } = await ask(copy, fault);
  found[by]++;
  results.push({ folder: dirname(fault.file), by });
  const line = `${fault.file}: ${fault.from.trim()}${fault.at === undefined ? '' : ` -> ${fault.to} (${fault.rule})`}`;
  if (by === 'none') missed.push(line);
  const mark = by === 'none' ? styleText('red', 'not found') : styleText('green', `found by ${by}`);
  console.log(`${index + 1}/${chosen.length} ${mark} ${line}${test ? `\n      ${test}` : ''}`);
}
const table = Array.from(
  Map.groupBy(results, ({ folder }) => folder),
  ([folder, ofFolder]) => {
    const count = (wanted: FoundBy) => ofFolder.filter(({ by }) => by === wanted).length;
    return { folder, faults: ofFolder.length, main: count('main'), rest: count('rest'), none: count('none') };
  },
);
console.table(table);
console.log(
  JSON.stringify({ faults: chosen.length, found_main: found.main, found_rest: found.rest, missed }),
);

/** A copy of the last commit with the installed packages and what was generated. */
async function copyOfWorkTree(closing: AsyncDisposableStack): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'dues-faults-'));
  const folder = join(parent, 'tree');
  await run('git', ['worktree', 'add', '--detach', folder], { cwd: ROOT });
  closing.defer(async () => {
    await run('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT });
    await rm(parent, { recursive: true, force: true });
  });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const made of ['src/generated', 'dist']) {
    await cp(join(ROOT, made), join(folder, made), { recursive: true });
  }
  return folder;
}

/** Plants a fault, and runs tests until one fails. */
async function ask(folder: string, fault: Fault): Promise<{ by: FoundBy; test?: string }> {
  const path = join(folder, fault.file);
  const right = await readFile(path, 'utf8');
  const at = fault.at ?? right.indexOf(fault.from);
  await writeFile(path, right.slice(0, at) + fault.to + right.slice(at + fault.from.length));
  try {
    // The tests that start no server answer in seconds.
    const near = (await firstFailure(folder, fault.near, UNIT)) ?? (await firstFailure(folder, fault.near));
    const test = near ?? (options.wide ? await firstFailure(folder, WIDE) : undefined);
    if (!test) return { by: 'none' };
    const isLeftOut = foldersLeftOut('main').some((left) => test.startsWith(`test/${left}/`));
    return { by: isLeftOut ? 'rest' : 'main', test };
  } finally {
    await writeFile(path, right);
  }
}

/** The file and title of the first test that fails; undefined if none does. */
async function firstFailure(
  folder: string,
  tests: readonly string[],
  suite: readonly string[] = [],
): Promise<string | undefined> {
  const output = join(folder, 'report.json');
  await rm(output, { force: true });
  const vitest = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...suite,
      '--bail=1',
      '--reporter=json',
      `--outputFile=${output}`,
      ...tests.map((path) => `test/${path}`),
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  stopWithThisProcess(vitest);
  // After an interruption the copy is removed, and this process ends.
  await new Promise<void>((resolve) => vitest.once('exit', () => isInterrupted || resolve()));
  const { testResults } = report.parse(JSON.parse(await readFile(output, 'utf8')));
  // The files that run when a test fails are cancelled, and count as failed too.
  const [failed] = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(folder, name)} ${fullName}`),
  );
  if (failed) return failed;
  const unloaded = testResults.find(({ status }) => status === 'failed');
  if (unloaded) throw new Error(`${relative(folder, unloaded.name)} cannot be loaded`);
  return undefined;
}
