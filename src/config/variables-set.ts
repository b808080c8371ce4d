import { withSecretFiles } from './secret-files.ts';

/** The environment variables of a process or of an env file. */
export type Variables = Readonly<Record<string, string | undefined>>;

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
