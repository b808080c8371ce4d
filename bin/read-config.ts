import { ConfigError } from '../src/config/config-error.ts';
import { whereVariablesComeFrom } from './env-file.ts';

/**
 * Reads what a command needs of the environment's variables.
 *
 * @throws ConfigError naming every wrong variable, and where they were looked for
 */
export function readConfig<T>(from: (env: NodeJS.ProcessEnv) => T): T {
  try {
    return from(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${error.message}\n${whereVariablesComeFrom()}.`, { cause: error });
  }
}
