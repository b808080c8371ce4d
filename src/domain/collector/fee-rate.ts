/** The period over which fees are measured. */
export const MEASURED_MS = 7 * 86_400_000;
/** The minimum period: the fees of a shorter time do not represent a day. */
const MIN_PERIOD_MS = 3_600_000;
const DAY_MS = 86_400_000n;

/** Lamports per day, from the fees since the first measured fee (`since`); null without fees. */
export function lamportsPerDay(spent: bigint, since: Date | null, now: Date): bigint | null {
  if (spent === 0n || since === null) return null;
  const overMs = Math.min(MEASURED_MS, Math.max(MIN_PERIOD_MS, now.getTime() - since.getTime()));
  return (spent * DAY_MS) / BigInt(overMs);
}

/** The number of days that a balance lasts, with one decimal; null without fees. */
export function daysLeft(spendable: bigint, perDay: bigint | null): number | null {
  if (perDay === null || perDay === 0n) return null;
  return Number((spendable * 10n) / perDay) / 10;
}
