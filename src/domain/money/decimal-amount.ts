/**
 * Formats an amount: `12500000n` with 6 decimals is `12.50`. It has at least two decimals, if the
 * token has them, and as many as needed.
 */
export function toDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const needed = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const fraction = needed.padEnd(Math.min(2, decimals), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
