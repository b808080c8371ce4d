import { withSecretFiles } from './secret-files.ts';
import type { Variables } from './variables.ts';

/**
 * Drops empty variables, because `NAME=` in an env file means unset, and reads the secrets that
 * files hold.
 *
 * @throws ConfigError for a file that cannot be read
 */
export function variablesSet(env: Variables): Variables {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return withSecretFiles(Object.fromEntries(set));
}
