/** A comma that separates thousands: `1,000` can be one or one thousand, so it is no amount. */
const THOUSANDS = /^[1-9]\d{0,2},\d{3}$/;

/**
 * Converts a typed decimal, with a point or a comma, to base units: `12,5` with 6 decimals is
 * `12500000`. Undefined if it is not an amount above zero, has more decimals than the token, or can
 * be read in two ways.
 */
export function toBaseUnits(typed: string, decimals: number): string | undefined {
  const text = typed.trim();
  const [, whole, fraction = ''] = /^(\d{1,20})(?:[.,](\d*))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals || THOUSANDS.test(text)) return undefined;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return units > 0n ? String(units) : undefined;
}
