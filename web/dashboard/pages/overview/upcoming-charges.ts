import type { UpcomingChargesQuery } from '../../../generated/graphql.ts';
import { sumByToken, type TokenAmount } from '../../../shared/money/amount.tsx';

type Charge = UpcomingChargesQuery['upcomingCharges'][number];

/** Lengths of the shown forecasts in days. The API forecasts 31 days including today. */
export const SPANS = [1, 7, 30] as const;

const DAY_MS = 86_400_000;

/** The last of a number of days that start today. Days are in UTC, as in the API. */
export function lastDayOf(days: number, now: Date): string {
  return new Date(now.getTime() + (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

interface Charges {
  readonly count: number;
  readonly amounts: readonly TokenAmount[];
  /** Checked wallets that could not pay now. */
  readonly short: number;
  readonly checked: number;
}

/** The payments that are due by the end of a day. */
export function chargesWithin(charges: readonly Charge[], lastDay: string): Charges {
  const within = charges.filter(({ day }) => day <= lastDay);
  const sum = (pick: (charge: Charge) => number) => within.reduce((total, charge) => total + pick(charge), 0);
  return {
    count: sum(({ count }) => count),
    amounts: sumByToken(within.map(({ amount }) => amount)),
    short: sum(({ short }) => short),
    checked: sum(({ shortChecked }) => shortChecked),
  };
}
