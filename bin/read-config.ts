import { ConfigError } from '../src/config/config-error.ts';
import { misspeltVariables } from '../src/config/misspelt-variables.ts';
import { describeVariableSources } from './env-file.ts';

let hasWarned = false;

/**
 * Reads the part of the configuration that a command needs. Warns once of variables that are
 * probably misspelt.
 *
 * @throws ConfigError with every wrong variable and the files from which variables were read
 */
export function readConfig<T>(read: (env: NodeJS.ProcessEnv) => T): T {
  if (!hasWarned) warnOfMisspelt();
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${error.message}\n${describeVariableSources()}.`, { cause: error });
  }
}

function warnOfMisspelt(): void {
  hasWarned = true;
  for (const { name, meant } of misspeltVariables(process.env)) {
    console.error(`dues: ignored the variable ${name}, which dues does not have; did you mean ${meant}?`);
  }
}
