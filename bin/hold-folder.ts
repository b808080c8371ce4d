import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLineOf } from '../src/postgres/command-line.ts';

/** Another process uses the folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/**
 * Locks a folder for this process and returns a function that unlocks it. The lock of a killed
 * process is ignored.
 *
 * @throws AlreadyRunning
 */
export async function holdFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'dues.pid');
  for (;;) {
    const isOurs = await writeFile(file, String(process.pid), { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    if (isOurs) return () => rm(file, { force: true });
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (await isDues(holder)) {
      throw new AlreadyRunning(
        `dues is already running here (pid ${holder}): stop it, or choose another folder with --data (${folder})`,
      );
    }
    await rm(file, { force: true });
  }
}

/** Process ids are reused, so the process must also look like dues. */
async function isDues(pid: number): Promise<boolean> {
  if (!pid || pid === process.pid) return false;
  const command = await commandLineOf(pid);
  return command !== undefined && /\bdues(\.ts)? start\b/.test(command);
}
