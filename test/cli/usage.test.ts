import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The scripts of this repository that `npm run NAME` starts. */
const SCRIPTS = Object.entries(packageJson.scripts).flatMap(([name, script]) => {
  const [, command = ''] = /^(?:npm .*&& )?node (.+)$/.exec(script) ?? [];
  return command === '' ? [] : [{ name, args: command.split(' ') }];
});
/** One command of each kind, because all share the code that prints the usage. */
const COMMANDS = ['worker', 'keys create', 'travel'];
const DUES = COMMANDS.map((command) => ({
  name: `dues ${command}`,
  args: ['--disable-warning=ExperimentalWarning', 'bin/dues.ts', ...command.split(' ')],
}));
const BENCHES = ['flood'].map((bench) => ({
  name: `bench ${bench}`,
  args: ['--disable-warning=ExperimentalWarning', 'bench/main.ts', bench],
}));

async function run(args: readonly string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

it('lists all scripts', () => {
  const names = SCRIPTS.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['start', 'demo', 'bench', 'chaos', 'schema', 'drift', 'lock']),
  );
});

it.each([...SCRIPTS, ...BENCHES])('$name prints its usage with --help', async ({ args }) => {
  const { code, stdout, stderr } = await run([...args, '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: /);
});

it.each([...SCRIPTS, ...DUES, ...BENCHES])(
  '$name answers a wrong option with its usage and exit code 2',
  async ({ args }) => {
    const { code, stdout, stderr } = await run([...args, '--no-such-option']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*\n\nUsage: /);
  },
);

it.each([
  ['bin/dues.ts'],
  ['bin/dues.ts', 'nonsense'],
  ['bin/dues.ts', 'keys'],
  ['bin/dues.ts', 'travel'],
  ['bench/main.ts'],
  ['bench/main.ts', 'nonsense'],
  ['bench/main.ts', 'flood', '--store', 'nonsense'],
  ['chaos/main.ts', '--seed', '-1'],
])('%s %s %s %s ends with the usage and exit code 2', async (...args) => {
  const { code, stdout, stderr } = await run(['--disable-warning=ExperimentalWarning', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^(error: .*\n\n)?Usage: /);
});
