import { invalidRequest } from '../../../errors.ts';
import { type EventType, eventTypes } from './types.ts';

/** @throws BillingError if a name is not an event type */
export function knownEventTypes(param: string, names: readonly string[]): EventType[] {
  const unknown = names.find((name) => !eventTypes.some((type) => type === name));
  if (unknown === undefined) return names as EventType[];
  throw invalidRequest(param, `${param} may contain ${eventTypes.join(', ')}.`);
}
