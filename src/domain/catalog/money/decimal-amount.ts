/**
 * Formats an amount: `12500000n` with 6 decimals is `12.50`. It shows two decimals, or all
 * if the token has fewer, and further ones only as needed.
 */
export function toDecimal(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const integerPart = digits.slice(0, digits.length - decimals);
  const significant = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const fraction = significant.padEnd(Math.min(2, decimals), '0');
  return fraction === '' ? integerPart : `${integerPart}.${fraction}`;
}

/** Formats an amount that may be below 0, like `toDecimal`: `-1.50`. */
export function signedDecimal(amount: bigint, decimals: number): string {
  return amount < 0n ? `-${toDecimal(-amount, decimals)}` : toDecimal(amount, decimals);
}
