import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('does not change the exit code of the process that started it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dues-embedded-'));
  const embedded = new URL('../../src/postgres/embedded.ts', import.meta.url).href;
  const script = `
    const { startEmbeddedDatabase } = await import(${JSON.stringify(embedded)});
    const database = await startEmbeddedDatabase({ folder: ${JSON.stringify(join(folder, 'postgres'))}, persistent: false });
    await database.stop();
    process.exitCode = 3;
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
  expect(code).toBe(3);
});
