/**
 * Formats an amount with all decimals, so that columns line up: `-12500000n` with 6 decimals is
 * `-12.500000`.
 */
export function decimalAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : '';
  const digits = String(amount < 0n ? -amount : amount).padStart(decimals + 1, '0');
  const fraction = decimals > 0 ? `.${digits.slice(-decimals)}` : '';
  return `${sign}${digits.slice(0, digits.length - decimals)}${fraction}`;
}
