import { addSecretFiles } from './secret-files.ts';
import type { Variables } from './variables.ts';

/**
 * Drops empty variables, because `NAME=` in an env file means that it is not set, and adds the
 * secrets that files hold.
 *
 * @throws ConfigError if such a file is empty or cannot be read, or a secret is set twice
 */
export function readVariables(env: Variables): Variables {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return addSecretFiles(Object.fromEntries(set));
}
