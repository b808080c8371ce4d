import type { z } from 'zod';

/**
 * Lists every wrong or missing variable on its own line, with the problem and the allowed values.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Creates the error from the problems, one line each. */
export function configError(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

/**
 * Describes each invalid variable in one line. Values may be secrets, so a line contains only our
 * own text.
 */
export function problemsOf(error: z.ZodError, set: Readonly<Record<string, unknown>>): string[] {
  return error.issues.map((issue) => {
    // The rest of the path, the index in a list, is omitted.
    const name = String(issue.path[0] ?? '');
    return `${name} ${name in set ? '' : 'is missing: '}${issue.message}`;
  });
}
