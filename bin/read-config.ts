import { ConfigError } from '../src/config/config-error.ts';
import { whereVariablesComeFrom } from './env-file.ts';

/**
 * Reads the part of the configuration that a command needs.
 *
 * @throws ConfigError with every wrong variable and where it was looked for
 */
export function readConfig<T>(from: (env: NodeJS.ProcessEnv) => T): T {
  try {
    return from(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${error.message}\n${whereVariablesComeFrom()}.`, { cause: error });
  }
}
