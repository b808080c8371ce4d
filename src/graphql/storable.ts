import { isStorable } from '../domain/merchant/valid-text.ts';
import { invalidRequest } from '../errors.ts';
import type { ArgumentPath } from './argument-places.ts';
import { paramFor } from './param-for.ts';

const MAX_DEPTH = 64;

/**
 * Refuses what PostgreSQL cannot keep anywhere in a value out of a request: JSON allows NUL, half a surrogate pair and endless
 * nesting, and each would turn a request into an error of ours.
 *
 * @throws BillingError invalid_request, its param the place: `filter.planId`
 */
export function assertStorable(argument: string, value: unknown): void {
  const place = unstorablePlace([argument], value);
  if (!place) return;
  const param = paramFor(place);
  throw invalidRequest(
    param,
    `${param} must be valid text without NUL, nested at most ${MAX_DEPTH} levels deep.`,
  );
}

/** Of a name that cannot be kept it is the object: the name is not to be repeated. */
function unstorablePlace(path: ArgumentPath, value: unknown): ArgumentPath | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  if (path.length > MAX_DEPTH) return path;
  for (const [key, each] of Object.entries(value)) {
    const place = isStorable(key) ? unstorablePlace([...path, key], each) : path;
    if (place) return place;
  }
  return undefined;
}
