import type { Plan } from '../../generated/prisma/client.ts';
import { NO_CHANGES, type PlanChanges } from './plan-changes.ts';

/** What merchants are shown of a day in UTC; each number is defined in docs/metrics.md. */
export interface DayMetrics {
  readonly day: string;
  readonly active: number;
  readonly pastDue: number;
  readonly new: number;
  readonly resumed: number;
  readonly churned: number;
  readonly expired: number;
  readonly recovered: number;
  readonly failed: number;
  /** By asset: amounts of different ones do not add up. */
  readonly mrr: readonly MintAmount[];
}

export interface MintAmount {
  readonly mint: string;
  /** Base units. */
  readonly amount: bigint;
}

export type PricedPlan = Pick<Plan, 'amount' | 'intervalSeconds' | 'mint'>;

/** What revenue is normalised to. */
const MONTH_SECONDS = 30n * 24n * 3_600n;

/** What `subscriptions` of a plan bring in 30 days, in whole base units. */
export function monthlyRevenue(plan: PricedPlan, subscriptions: number): bigint {
  return (BigInt(subscriptions) * plan.amount * MONTH_SECONDS) / BigInt(plan.intervalSeconds);
}

/** A plan's days, one after the other, from what it had before them and what changed on each. */
export function planDays(
  plan: PricedPlan,
  days: readonly string[],
  before: PlanChanges,
  changesOn: ReadonlyMap<string, PlanChanges>,
): DayMetrics[] {
  let { active, pastDue } = before;
  return days.map((day) => {
    const changes = changesOn.get(day) ?? NO_CHANGES;
    active += changes.active;
    pastDue += changes.pastDue;
    const { started, resumed, expired, recovered, failed } = changes;
    return {
      day,
      active,
      pastDue,
      new: started,
      resumed,
      // Who resumed left the cancelled ones again.
      churned: changes.cancelled + resumed + expired,
      expired,
      recovered,
      failed,
      mrr: [{ mint: plan.mint, amount: monthlyRevenue(plan, active + pastDue) }],
    };
  });
}

/** One day of several plans together. */
export function sumDay(day: string, parts: readonly DayMetrics[]): DayMetrics {
  const sum = (read: (part: DayMetrics) => number) => parts.reduce((total, part) => total + read(part), 0);
  const mrr = new Map<string, bigint>();
  for (const { mint, amount } of parts.flatMap((part) => part.mrr)) {
    mrr.set(mint, (mrr.get(mint) ?? 0n) + amount);
  }
  return {
    day,
    active: sum((part) => part.active),
    pastDue: sum((part) => part.pastDue),
    new: sum((part) => part.new),
    resumed: sum((part) => part.resumed),
    churned: sum((part) => part.churned),
    expired: sum((part) => part.expired),
    recovered: sum((part) => part.recovered),
    failed: sum((part) => part.failed),
    mrr: [...mrr].map(([mint, amount]) => ({ mint, amount })),
  };
}
