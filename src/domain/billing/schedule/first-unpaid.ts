import { collectablePeriod } from './collectable-period.ts';
import { type PaymentPeriod, paymentPeriod, type Schedule } from './period.ts';

/**
 * The payment with which a subscription that starts, or starts again, at `now` continues: the one
 * of the running period, or the next one if that is paid. Checkout states it before the approval,
 * and the books take it as the next payment after it.
 *
 * @param isPaid whether the running period is paid; nothing is, if the subscription is new
 */
export function firstUnpaid(
  schedule: Schedule,
  now: bigint,
  isPaid: (running: PaymentPeriod) => boolean = () => false,
): PaymentPeriod {
  const running = collectablePeriod(schedule, now);
  return isPaid(running) ? paymentPeriod(schedule, running.index + 1n) : running;
}
