import { invalidRequest } from '../../../errors.ts';

/** A year. */
const MAX_GRACE_SECONDS = 365 * 24 * 3_600;

/**
 * Validates the seconds from the due date of a failed payment during which an expired subscription keeps access.
 *
 * @throws BillingError invalid_request, param `graceSeconds`
 */
export function validGrace(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_GRACE_SECONDS) return seconds;
  throw invalidRequest(
    'graceSeconds',
    `graceSeconds is ${seconds}, and must be a whole number from 0 to ${MAX_GRACE_SECONDS}.`,
  );
}
