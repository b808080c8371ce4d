import { toBaseUnits } from '../../../shared/money/base-units.ts';
import { discountForm as text } from '../../../shared/text/discounts.ts';

const MAX_BPS = 10_000;
const MAX_PERIODS = 1_000;

/** A typed percentage in hundredths of a percent: `12.5` is 1250; undefined if it is none. */
export function bpsOf(typed: string): number | undefined {
  const bps = Number(toBaseUnits(typed, 2) ?? 0);
  return bps > 0 && bps <= MAX_BPS ? bps : undefined;
}

/** A typed number of payments; undefined if it is none. */
export function periodsOf(typed: string): number | undefined {
  const periods = countOf(typed);
  return periods && periods <= MAX_PERIODS ? periods : undefined;
}

/** A typed limit; null if nothing is typed, undefined if it is no whole number above 0. */
export function countOf(typed: string): number | null | undefined {
  if (typed.trim() === '') return null;
  return /^[1-9]\d{0,8}$/.test(typed.trim()) ? Number(typed) : undefined;
}

/** Checks an optional limit. */
export function optionalCount(typed: string): string | undefined {
  return countOf(typed) === undefined ? text.countInvalid : undefined;
}
