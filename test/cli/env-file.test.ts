import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDues } from '../../tools/world/dues-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dues-env-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('reports a missing .env with its path', async () => {
  const { stderr, code } = await runDues(['api'], {}, folder);
  expect(code).toBe(1);
  expect(stderr).toContain('DATABASE_URL is missing');
  expect(stderr).toContain('openssl rand -base64 32');
  expect(stderr).toContain(`no file ${join(folder, '.env')}`);
});

it('reads .env, and environment variables override it', async () => {
  await writeFile(join(folder, '.env'), 'PORT=eighty\nCLOCK=sundial\nTEST_RPC_URL=\n');
  const { stderr } = await runDues(['api'], { CLOCK: 'chain' }, folder);
  expect(stderr).toContain('PORT must be a port');
  expect(stderr).not.toContain('CLOCK');
  expect(stderr).toContain('TEST_RPC_URL or LIVE_RPC_URL is missing');
  expect(stderr).toContain(`and ${join(folder, '.env')}.`);
});
