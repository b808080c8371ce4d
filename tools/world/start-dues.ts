import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, DuesProcess } from './dues-process.ts';

/** Lets `dues start` use any free ports. */
export const ANY_PORTS = ['--port', '0', '--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0'];

/** A `dues start` whose data is in a new folder. */
export interface StartedDues {
  readonly dues: DuesProcess;
  /** The new folder. Its `data` is the folder of dues. */
  readonly folder: string;
  /** Stops it, and removes the folder. */
  end(): Promise<CommandResult>;
}

/** Starts `dues start` with free ports. It is ready when it prints what the caller waits for. */
export async function startDues(): Promise<StartedDues> {
  const folder = await mkdtemp(join(tmpdir(), 'dues-start-'));
  // If this is root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o755);
  const dues = new DuesProcess(['start', '--data', join(folder, 'data'), ...ANY_PORTS]);
  return {
    dues,
    folder,
    async end() {
      const result = await dues.ended('SIGTERM');
      await rm(folder, { recursive: true });
      return result;
    },
  };
}
