import { inLargestUnit } from '../../../src/domain/catalog/money/duration-text.ts';

/** Units of relative times. They are rounded, so a month here has 30 days. */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in words, in the largest unit that divides it: `30 days`, `90 minutes`, `1 month`. */
export function formatDuration(seconds: number): string {
  const { unit, count } = inLargestUnit(seconds);
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** The interval of a plan: `every 30 days`, `every month`. */
export function formatInterval(seconds: number): string {
  const duration = formatDuration(seconds);
  return `every ${duration.replace(/^1 /, '')}`;
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** A time relative to now: `3 minutes ago`, `in 2 days`. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const [unit, size] = UNITS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}
