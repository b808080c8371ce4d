import { isStorable } from '../domain/merchant/valid-text.ts';
import { invalidRequest } from '../errors.ts';

const MAX_DEPTH = 64;

/**
 * Refuses what PostgreSQL cannot keep anywhere in a value out of a request: JSON allows NUL, half a surrogate pair and endless
 * nesting, and each would turn a request into an error of ours.
 *
 * @throws BillingError invalid_request
 */
export function assertStorable(param: string, value: unknown): void {
  if (isStorableValue(value, 0)) return;
  throw invalidRequest(
    param,
    `${param} must be valid text without NUL, nested at most ${MAX_DEPTH} levels deep.`,
  );
}

function isStorableValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorableValue(each, depth + 1));
}
