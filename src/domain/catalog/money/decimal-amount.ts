/**
 * Formats an amount: `12500000n` with 6 decimals is `12.50`. It shows two decimals, or all
 * if the token has fewer, and further ones only as needed. An amount below 0 begins with `-`.
 */
export function toDecimal(amount: bigint, decimals: number): string {
  if (amount < 0n) return `-${toDecimal(-amount, decimals)}`;
  const digits = amount.toString().padStart(decimals + 1, '0');
  const integerPart = digits.slice(0, digits.length - decimals);
  const significant = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const fraction = significant.padEnd(Math.min(2, decimals), '0');
  return fraction === '' ? integerPart : `${integerPart}.${fraction}`;
}
