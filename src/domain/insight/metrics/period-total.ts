import { type Activity, type DayMetrics, sumActivity } from './day-metrics.ts';
import { dayOf } from './days.ts';
import type { MetricsRange } from './get-metrics.ts';

/** The numbers of several days together; docs/metrics.md defines each. */
export interface PeriodTotal extends Activity {
  /** `churned` divided by the subscriptions before the first day; null if there were none. */
  readonly churnRate: number | null;
}

/** Adds up consecutive days. */
export function periodTotal(days: readonly DayMetrics[]): PeriodTotal {
  const activity = sumActivity(days);
  const atStart = openingSubscriptions(days[0]);
  return { ...activity, churnRate: atStart > 0 ? activity.churned / atStart : null };
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
