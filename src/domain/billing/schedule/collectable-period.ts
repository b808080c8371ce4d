import { unixSeconds } from '../../../chain/chain-time.ts';
import { scheduleOf } from './billable.ts';
import { decide, type PaymentPeriod, paymentPeriod, type Schedule } from './period.ts';

/**
 * The first payment of the schedule whose period is not over at `now`; earlier ones are never
 * collected.
 */
export function collectablePeriod(schedule: Schedule, now: bigint): PaymentPeriod {
  const decision = decide(schedule, paymentPeriod(schedule, 0n).dueAt, now, 0n);
  return decision.kind === 'missed' ? decision.next : decision.period;
}

/** `collectablePeriod` of a subscription at a time. */
export function runningPeriod(subscription: Parameters<typeof scheduleOf>[0], at: Date): PaymentPeriod {
  return collectablePeriod(scheduleOf(subscription), unixSeconds(at));
}
