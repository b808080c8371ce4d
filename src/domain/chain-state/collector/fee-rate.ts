/** Time over which fees are measured. */
export const MEASURED_MS = 7 * 86_400_000;
/** Minimum time, because the fees of a shorter time do not represent a day. */
const MIN_MEASURED_MS = 3_600_000;
const DAY_MS = 86_400_000n;

/** Computes lamports per day from the fees since the first measured fee; null without fees. */
export function lamportsPerDay(spent: bigint, since: Date | null, now: Date): bigint | null {
  if (spent === 0n || since === null) return null;
  const measuredMs = Math.min(MEASURED_MS, Math.max(MIN_MEASURED_MS, now.getTime() - since.getTime()));
  return (spent * DAY_MS) / BigInt(measuredMs);
}

/** Computes the number of days that a balance lasts, with one decimal; null without fees. */
export function daysLeft(spendable: bigint, perDay: bigint | null): number | null {
  if (perDay === null || perDay === 0n) return null;
  return Number((spendable * 10n) / perDay) / 10;
}
