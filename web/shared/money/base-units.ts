/**
 * Converts a typed decimal to base units: `12.5` with 6 decimals is `12500000`. Undefined if it is
 * not an amount above zero, or has more decimals than the token.
 */
export function toBaseUnits(typed: string, decimals: number): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d*))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return units > 0n ? String(units) : undefined;
}
