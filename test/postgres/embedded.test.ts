import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFailed, vi } from 'vitest';

const EMBEDDED = new URL('../../src/postgres/embedded.ts', import.meta.url).href;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dues-embedded-'));
  // If the tests run as root, PostgreSQL runs as another user, who must have access.
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a script that has `start(name)`, which starts an embedded database. */
function run(script: string): ChildProcess {
  const start = `
    const { startEmbeddedDatabase } = await import(${JSON.stringify(EMBEDDED)});
    const start = (name) =>
      startEmbeddedDatabase({ folder: ${JSON.stringify(folder)} + '/' + name, persistent: false });`;
  return spawn(process.execPath, ['--input-type=module', '--eval', start + script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

it('does not change the exit code of the process that started it', async () => {
  const child = run(`
    const database = await start('postgres');
    await database.stop();
    process.exitCode = 3;`);
  const [code] = await once(child, 'exit');
  expect(code).toBe(3);
});

it('two databases in one process end with it at SIGTERM', async () => {
  const child = run(`
    await Promise.all([start('one'), start('two')]);
    process.stdout.write('started');
    setInterval(() => {}, 1_000);`);
  const isRunning = () => ['one', 'two'].map((name) => existsSync(join(folder, name, 'postmaster.pid')));
  if (child.stdout) await once(child.stdout, 'data');
  expect(isRunning()).toEqual([true, true]);
  onTestFailed(() => {
    child.kill('SIGKILL');
  });
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([null, 'SIGTERM']);
  await vi.waitFor(() => expect(isRunning()).toEqual([false, false]), 10_000);
});
