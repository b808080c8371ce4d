import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';

const FILE = resolve('.env');

/** The file `.env` exists and cannot be read. */
export class EnvFileUnreadable extends Error {
  override name = 'EnvFileUnreadable';
}

/**
 * Adds the variables of `.env` in the working folder, if it exists, to the environment. Existing
 * variables win.
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

/** Describes where variables were read from, for an error about a missing one. */
export function describeVariableSources(): string {
  return existsSync(FILE)
    ? `Read from the environment and ${FILE}`
    : `Read from the environment; no file ${FILE} exists`;
}
