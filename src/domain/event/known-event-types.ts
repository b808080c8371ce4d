import { invalidRequest } from '../../errors.ts';
import { type EventType, eventTypes } from './types.ts';

/** @throws BillingError unless there is such a type for every name */
export function knownEventTypes(param: string, names: readonly string[]): EventType[] {
  const unknown = names.find((name) => !eventTypes.some((type) => type === name));
  if (unknown === undefined) return names as EventType[];
  throw invalidRequest(param, `${param} may hold ${eventTypes.join(', ')}.`);
}
