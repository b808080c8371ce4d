import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { SOON } from '../support/soon.ts';

/** A script that starts dues as tests and benches do, and prints its address. */
const PARENT = `
  import { DuesProcess } from '${new URL('../../tools/world/dues-process.ts', import.meta.url).href}';
  const ports = ['--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0'];
  const dues = new DuesProcess(['localnet', ...ports]);
  const [url] = await dues.printed(/http:\\S+/);
  console.log(url);
  process.once('SIGUSR2', () => { throw new Error('planned'); });
`;

it('a process that fails, is stopped or is killed leaves no process that it started', async () => {
  await Promise.all(
    (['SIGUSR2', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const).map(async (signal) => {
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const url = String(line).trim();
      expect((await fetch(`${url}/health`)).ok, signal).toBe(true);
      parent.kill(signal);
      await once(parent, 'exit');
      await vi.waitFor(() => expect(fetch(url), signal).rejects.toThrow('fetch failed'), SOON);
    }),
  );
});
