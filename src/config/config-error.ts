import type { z } from 'zod';

/** Every variable that is wrong or missing, one a line: what it is, what was wrong, what is allowed. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The error that tells of these, a line each. */
export function wrong(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

/** Of some variables, each in a line. They may be secrets: only our own words go out, never the value. */
export function problemsOf(error: z.ZodError, set: Readonly<Record<string, unknown>>): string[] {
  return error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `${name} ${name in set ? '' : 'is missing: '}${issue.message}`;
  });
}
