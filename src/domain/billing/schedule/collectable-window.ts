import { decide, type PaymentWindow, paymentWindow, type Schedule } from './period.ts';

/**
 * The first payment of the schedule whose period is not over at `now`; earlier ones are never
 * collected.
 */
export function collectableWindow(schedule: Schedule, now: bigint): PaymentWindow {
  const decision = decide(schedule, paymentWindow(schedule, 0n).dueAt, now, 0n);
  return decision.kind === 'missed' ? decision.next : decision.window;
}
