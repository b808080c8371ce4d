import type { MetricsOverviewQuery } from '../../../generated/graphql.ts';
import { approximateAmount, sumByToken, type TokenAmount } from '../../../shared/money/token-amount.ts';

export type MetricsDay = MetricsOverviewQuery['metrics']['days'][number];

const DAY_MS = 86_400_000;

/** The first and last of a number of days that end today. Days are in UTC, as in the API. */
export function daysOf(count: number, now: Date): { readonly from: string; readonly to: string } {
  const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: iso(now.getTime() - (count - 1) * DAY_MS), to: iso(now.getTime()) };
}

export interface Period {
  readonly days: readonly MetricsDay[];
  readonly last: MetricsDay | undefined;
  readonly new: number;
  readonly failed: number;
  readonly collected: readonly TokenAmount[];
  readonly refunded: readonly TokenAmount[];
  readonly recoveredAmount: readonly TokenAmount[];
  /** Subscriptions that ended, divided by those at the start; undefined if there were none. */
  readonly churnRate: number | undefined;
  /** Subscriptions that paid after a failure, and those that expired. */
  readonly recovered: number;
  readonly expired: number;
}

/** The totals of a period. */
export function periodOf(days: readonly MetricsDay[], dayBefore: MetricsDay | undefined): Period {
  const sum = (pick: (day: MetricsDay) => number) => days.reduce((total, day) => total + pick(day), 0);
  const atStart = (dayBefore?.active ?? 0) + (dayBefore?.pastDue ?? 0);
  return {
    days,
    last: days.at(-1),
    new: sum((day) => day.new),
    failed: sum((day) => day.failed),
    collected: sumByToken(days.flatMap((day) => day.collected)),
    refunded: sumByToken(days.flatMap((day) => day.refunded)),
    recoveredAmount: sumByToken(days.flatMap((day) => day.recoveredAmount)),
    churnRate: atStart > 0 ? sum((day) => day.churned) / atStart : undefined,
    recovered: sum((day) => day.recovered),
    expired: sum((day) => day.expired),
  };
}

/** The token with the highest revenue, with amount 0. Charts and cards show this token. */
export function mainToken(days: readonly MetricsDay[]): TokenAmount | undefined {
  const lastMrr = days.findLast((day) => day.mrr.length > 0)?.mrr ?? [];
  const amounts = [...lastMrr, ...sumByToken(days.flatMap((day) => day.collected))];
  const [highest] = amounts.toSorted((a, b) => approximateAmount(b) - approximateAmount(a));
  return highest && { ...highest, amount: '0' };
}

/** The amount in one token, which may be zero. */
export function amountInToken(amounts: readonly TokenAmount[], token: TokenAmount): TokenAmount {
  return amounts.find(({ mint }) => mint === token.mint) ?? token;
}

/** The amount in one token as a number, for drawing. */
export function chartNumber(amounts: readonly TokenAmount[], token: TokenAmount | undefined): number {
  return token ? approximateAmount(amountInToken(amounts, token)) : 0;
}
