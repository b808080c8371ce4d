import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DuesProcess } from '../../tools/world/dues-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dues-localnet-'));
});
afterAll(() => rm(folder, { recursive: true }));

const start = (...args: string[]) =>
  new DuesProcess(['localnet', '--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0', ...args]);

it('dues localnet names its program, saves its state and continues from it', async () => {
  const state = join(folder, 'state');
  const first = start('--state', state);
  await first.printed(/Ctrl-C/);
  expect(first.stdout).toContain('the compact one of dues');
  const ended = await first.ended('SIGINT');
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain(`saved to ${state}`);
  expect((await stat(state)).size).toBeGreaterThan(0);

  const second = start('--state', state);
  await second.printed(/Ctrl-C/);
  expect(second.stdout).toContain(`as saved in ${state}`);
  expect((await second.ended('SIGTERM')).code).toBe(0);
});
