const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `86400` is `day`, `172800` is `2 days`. */
export function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  const count = seconds / length;
  return count === 1 ? unit : `${count} ${unit}s`;
}
