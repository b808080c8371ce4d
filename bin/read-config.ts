import { ConfigError } from '../src/config/config-error.ts';
import { describeVariableSources } from './env-file.ts';

/**
 * Reads the part of the configuration that a command needs.
 *
 * @throws ConfigError with every wrong variable and the places where variables were read
 */
export function readConfig<T>(read: (env: NodeJS.ProcessEnv) => T): T {
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${error.message}\n${describeVariableSources()}.`, { cause: error });
  }
}
