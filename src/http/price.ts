/** Decimals of the payment asset. */
const DECIMALS = 6;

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `12500000n` is `12.50`: at least two decimals, as many as it takes. */
export function toDecimal(amount: bigint): string {
  const digits = amount.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -DECIMALS)}.${fraction}`;
}

/** `86400` is `day`, `172800` is `2 days`. */
export function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  const count = seconds / length;
  return count === 1 ? unit : `${count} ${unit}s`;
}
