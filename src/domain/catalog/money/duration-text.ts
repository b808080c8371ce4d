import { INTERVAL_SECONDS } from './interval.ts';

/** Units of durations, largest first. Months and years are those of `INTERVAL_SECONDS`. */
const DURATION_UNITS = [
  ['year', INTERVAL_SECONDS.YEAR],
  ['month', INTERVAL_SECONDS.MONTH],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns the largest unit that divides a duration of whole seconds, and their number. */
export function inLargestUnit(seconds: number) {
  const [unit, size] = DURATION_UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? [
    'second',
    1,
  ];
  return { unit, count: seconds / size };
}

/** Formats a duration without the number 1: `86400` is `day`, `172800` is `2 days`. */
export function durationText(seconds: number): string {
  const { unit, count } = inLargestUnit(seconds);
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** Formats a duration with its number: `86400` is `1 day`, `172800` is `2 days`. */
export function lengthText(seconds: number): string {
  const text = durationText(seconds);
  return /^\d/.test(text) ? text : `1 ${text}`;
}

/** Describes a trial. A duration of at least a minute is rounded down to whole minutes. */
export function trialText(seconds: number): string {
  return `The first ${durationText(seconds < 60 ? seconds : seconds - (seconds % 60))} free`;
}
