import { invalidRequest } from '../../../errors.ts';

const DAY_MS = 24 * 3_600 * 1_000;
const MAX_DAYS = 366;

/** The UTC day of a time, `2026-12-01`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * Every day of a range, including the first and the last.
 *
 * @throws BillingError invalid_request, param `from` or `to`
 */
export function daysBetween(from: string, to: string, today: string): string[] {
  const [first, last] = [validDay('from', from), validDay('to', to)];
  const count = (last - first) / DAY_MS + 1;
  if (count < 1) throw invalidRequest('to', 'to must not be before from.');
  if (count > MAX_DAYS) throw invalidRequest('to', `to must be at most ${MAX_DAYS} days after \`from\`.`);
  if (to > today) throw invalidRequest('to', `to must not be later than today, ${today} in UTC.`);
  return Array.from({ length: count }, (_, index) => dayOf(new Date(first + index * DAY_MS)));
}

function validDay(param: string, text: string): number {
  const time = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Some parsers accept February 30th.
  if (!Number.isNaN(time) && dayOf(new Date(time)) === text) return time;
  throw invalidRequest(param, `${param} must be a day of this century such as 2026-12-01.`);
}
