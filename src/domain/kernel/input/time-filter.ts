import { invalidRequest } from '../../../errors.ts';

/** A range of time; a missing end is open. */
export interface TimeRange {
  /** The first time in the range. */
  readonly from?: Date | undefined;
  /** The first time after the range. */
  readonly to?: Date | undefined;
}

/**
 * Whether the year is 1 to 9999: other years do not exist in the database or in ISO 8601 without a
 * sign.
 */
export function isKnownYear(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/**
 * The filter for rows created in the range.
 *
 * @throws BillingError invalid_request, param `to`, if it is not after `from`
 */
export function createdIn(range: TimeRange): { createdAt?: { gte?: Date; lt?: Date } } {
  return range.from || range.to ? { createdAt: timeFilter(range, 'to', 'from') } : {};
}

/**
 * The filter for a time in the range.
 *
 * @throws BillingError invalid_request with the name of the end, if it is not after the start
 */
export function timeFilter(
  { from, to }: TimeRange,
  toName: string,
  fromName: string,
): { gte?: Date; lt?: Date } {
  if (from && to && from >= to) throw invalidRequest(toName, `${toName} must be later than ${fromName}.`);
  return { ...(from && { gte: from }), ...(to && { lt: to }) };
}
