import { decide, type PaymentPeriod, paymentPeriod, type Schedule } from './period.ts';

/**
 * The first payment of the schedule whose period is not over at `now`; earlier ones are never
 * collected.
 */
export function collectablePeriod(schedule: Schedule, now: bigint): PaymentPeriod {
  const decision = decide(schedule, paymentPeriod(schedule, 0n).dueAt, now, 0n);
  return decision.kind === 'missed' ? decision.next : decision.period;
}
