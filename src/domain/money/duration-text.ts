const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration: `86400` is `day`, `172800` is `2 days`. */
export function durationText(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  const count = seconds / length;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** Formats a length of time: `86400` is `1 day`, `172800` is `2 days`. */
export function lengthText(seconds: number): string {
  const text = durationText(seconds);
  return /^\d/.test(text) ? text : `1 ${text}`;
}

/** Describes a trial, with its remaining time in whole minutes. */
export function trialText(seconds: number): string {
  return `The first ${durationText(seconds < 60 ? seconds : seconds - (seconds % 60))} free`;
}
