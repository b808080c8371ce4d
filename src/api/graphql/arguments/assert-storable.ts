import { isStorable } from '../../../domain/kernel/input/valid-text.ts';
import { invalidRequest } from '../../../errors.ts';
import type { ArgumentPath } from './argument-paths.ts';
import { paramFor } from './param-for.ts';

const MAX_DEPTH = 64;

/**
 * Refuses input values that PostgreSQL cannot store: JSON allows NUL, unpaired surrogates and
 * unlimited nesting.
 *
 * @throws BillingError invalid_request with the path as param: `filter.planId`
 */
export function assertStorable(argument: string, value: unknown): void {
  const invalidPath = unstorablePath([argument], value);
  if (!invalidPath) return;
  const param = paramFor(invalidPath);
  throw invalidRequest(
    param,
    `${param} must be valid text without NUL, nested at most ${MAX_DEPTH} levels deep.`,
  );
}

/**
 * Returns the path of an invalid value. For an invalid key it is the path of the object, because
 * the error must not repeat the key.
 */
function unstorablePath(path: ArgumentPath, value: unknown): ArgumentPath | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > MAX_DEPTH) return path;
  for (const [key, child] of Object.entries(value)) {
    const invalidPath = isStorable(key) ? unstorablePath([...path, key], child) : path;
    if (invalidPath) return invalidPath;
  }
  return undefined;
}
