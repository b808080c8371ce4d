import { afterAll } from 'vitest';

type Closable = { close(): unknown } | { drop(): unknown };

/** What files of this process share that is not closed yet, in the order in which it was started. */
const open: Closable[] = [];

/**
 * What all tests of a file share: a world, a server, a database. It starts when the file is loaded,
 * and is closed after the file's last test.
 */
export async function sharedByFile<T extends Closable>(starting: T | Promise<T>): Promise<T> {
  const started = await starting;
  open.push(started);
  afterAll(async () => {
    open.splice(open.indexOf(started), 1);
    await close(started);
  });
  return started;
}

/** Closes what a file has left that could not be loaded to its end, and so has no hooks. */
export async function closeLeftOpen(): Promise<void> {
  for (let left = open.pop(); left; left = open.pop()) await close(left);
}

async function close(started: Closable): Promise<void> {
  await ('close' in started ? started.close() : started.drop());
}
