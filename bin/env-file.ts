import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';

const FILE = resolve('.env');

/** There is a `.env`, and it cannot be read. */
export class EnvFileUnreadable extends Error {
  override name = 'EnvFileUnreadable';
}

/**
 * Adds the variables of the working folder's `.env`, where there is one, to the environment, whose own win.
 *
 * @throws EnvFileUnreadable
 */
export function loadEnvFile(): void {
  if (!existsSync(FILE)) return;
  try {
    process.loadEnvFile(FILE);
  } catch (cause) {
    const { code = inspect(cause) } = cause as NodeJS.ErrnoException;
    throw new EnvFileUnreadable(`${FILE} cannot be read: ${code}`, { cause });
  }
}

/** Where the variables come from, for whoever wonders why one is not there. */
export function whereVariablesComeFrom(): string {
  return existsSync(FILE)
    ? `Read from the environment and ${FILE}`
    : `Read from the environment; there is no file ${FILE}`;
}
