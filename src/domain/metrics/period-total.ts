import { type DayMetrics, type MintAmount, sumAmounts } from './day-metrics.ts';
import { dayOf } from './days.ts';
import type { MetricsRange } from './get-metrics.ts';

/** The numbers of several days together; docs/metrics.md defines each. */
export interface PeriodTotal {
  readonly new: number;
  readonly resumed: number;
  readonly churned: number;
  readonly expired: number;
  readonly recovered: number;
  readonly failed: number;
  readonly paid: number;
  readonly refunds: number;
  readonly collected: readonly MintAmount[];
  readonly recoveredAmount: readonly MintAmount[];
  readonly refunded: readonly MintAmount[];
  /** `churned` divided by the subscriptions before the first day; null if there were none. */
  readonly churnRate: number | null;
}

/** Adds up consecutive days. */
export function periodTotal(days: readonly DayMetrics[]): PeriodTotal {
  const sum = (read: (day: DayMetrics) => number) => days.reduce((total, day) => total + read(day), 0);
  const amounts = (read: (day: DayMetrics) => readonly MintAmount[]) => sumAmounts(days.flatMap(read));
  const churned = sum((day) => day.churned);
  const atStart = openingSubscriptions(days[0]);
  return {
    new: sum((day) => day.new),
    resumed: sum((day) => day.resumed),
    churned,
    expired: sum((day) => day.expired),
    recovered: sum((day) => day.recovered),
    failed: sum((day) => day.failed),
    paid: sum((day) => day.paid),
    refunds: sum((day) => day.refunds),
    collected: amounts((day) => day.collected),
    recoveredAmount: amounts((day) => day.recoveredAmount),
    refunded: amounts((day) => day.refunded),
    churnRate: atStart > 0 ? churned / atStart : null,
  };
}

/** The number of active and past-due subscriptions before a day. */
function openingSubscriptions(first: DayMetrics | undefined): number {
  return first ? first.active + first.pastDue - first.new - first.resumed + first.churned : 0;
}

const DAY_MS = 86_400_000;

/** The range of the same length that ends before another. */
export function previousRange({ from, to, planId }: MetricsRange): MetricsRange {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const day = (time: number) => dayOf(new Date(time));
  return { from: day(first - (last - first) - DAY_MS), to: day(first - DAY_MS), planId };
}
