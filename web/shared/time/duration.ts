const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

type DurationUnit = (typeof UNITS)[number][0];

function inUnit(count: number, unit: DurationUnit): string {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A duration in words, in the largest unit that divides it: `30 days`, `90 minutes`. */
export function formatDuration(seconds: number): string {
  // A period of 30 days is not a calendar month, so weeks, months and years are not used.
  const exact = UNITS.slice(3).find(([, size]) => seconds >= size && seconds % size === 0);
  if (exact) return inUnit(seconds / exact[1], exact[0]);
  return inUnit(seconds, 'second');
}

/** The interval of a plan: `every 30 days`, `every day`. */
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
