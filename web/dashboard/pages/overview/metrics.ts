import type { MetricsOverviewQuery } from '../../../generated/graphql.ts';
import { approximateAmount, sumByToken, type TokenAmount } from '../../../shared/money/token-amount.ts';

/** The metrics of the period, of which the previous period is a part. */
export type Period = MetricsOverviewQuery['metrics'];
export type PreviousPeriod = Period['previous'];
export type MetricsDay = Period['days'][number];
/** The amounts of a day of either period. */
export type MoneyDay = Pick<MetricsDay, 'mrr' | 'collected'>;

const DAY_MS = 86_400_000;

/** The first and last of a number of days that end today. Days are in UTC, as in the API. */
export function daysOf(count: number, now: Date): { readonly from: string; readonly to: string } {
  const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: iso(now.getTime() - (count - 1) * DAY_MS), to: iso(now.getTime()) };
}

/** The token with the highest revenue, with amount 0. Charts and cards show this token. */
export function mainToken(days: readonly MoneyDay[]): TokenAmount | undefined {
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
