/** What fees are measured over. */
export const MEASURED_MS = 7 * 86_400_000;
/** Fees of less time than this say nothing about a day. */
const LEAST_MS = 3_600_000;
const DAY_MS = 86_400_000n;

/** Lamports a day, from what was spent since `since` (the first fee that was measured); null where nothing was. */
export function lamportsPerDay(spent: bigint, since: Date | null, now: Date): bigint | null {
  if (spent === 0n || since === null) return null;
  const overMs = Math.min(MEASURED_MS, Math.max(LEAST_MS, now.getTime() - since.getTime()));
  return (spent * DAY_MS) / BigInt(overMs);
}

/** How many days a balance lasts at a rate, one decimal; null where nothing is spent. */
export function daysLeft(spendable: bigint, perDay: bigint | null): number | null {
  if (perDay === null || perDay === 0n) return null;
  return Number((spendable * 10n) / perDay) / 10;
}
