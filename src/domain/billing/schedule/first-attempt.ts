// When a payment is first attempted. All subscriptions that began at the same minute are due at the same
// minute of each period; a plan may let them be attempted one after the other. Only `nextAttemptAt` moves:
// the due date, the period and the access stay.

import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { scheduleOf } from './billable.ts';
import { paymentDueAt } from './period.ts';

/** At least nine tenths of the time until the end of the period remain for retries. */
const PARTS_OF_PERIOD = 10n;
/** The part of a subscription's id that selects its time: its last 32 bits, which are random or of a hash. */
const HEX_DIGITS = 8;
const BITS = 32n;

/**
 * The seconds after the due date at which a subscription's payments are first attempted: the same in each
 * period, less than `withinSeconds`, and never more for a smaller `withinSeconds`.
 */
export function attemptDelay(subscriptionId: string, withinSeconds: bigint): bigint {
  return (BigInt(`0x${subscriptionId.slice(-HEX_DIGITS)}`) * withinSeconds) >> BITS;
}

/** What decides when a subscription's payment is first attempted. */
interface AttemptTerms extends Omit<Parameters<typeof scheduleOf>[0], 'plan'> {
  readonly id: string;
  readonly status: string;
  readonly cancelAtPeriodEnd: boolean;
  readonly plan: Parameters<typeof scheduleOf>[0]['plan'] & {
    readonly collectWithinSeconds: number;
    readonly endsAt: Date | null;
  };
}

/**
 * When the payment that is due at `dueAt` is first attempted. It is not delayed
 *
 * - at the start of the subscription, because the customer waits for it;
 * - if the subscription is PAST_DUE, because its customer may wait for access;
 * - if it ends at that date instead.
 *
 * The delay is at most a tenth of the time that is left to collect it.
 */
export function firstAttemptAt(subscription: AttemptTerms, dueAt: Date): Date {
  const { id, status, cancelAtPeriodEnd, chainCreatedAt, plan } = subscription;
  const due = unixSeconds(dueAt);
  if (plan.collectWithinSeconds === 0 || status !== 'ACTIVE' || cancelAtPeriodEnd) return dueAt;
  const period = paymentDueAt(scheduleOf(subscription), due);
  if (!period || due === chainCreatedAt) return dueAt;
  const ends = [period.periodEnd, ...(plan.endsAt ? [unixSeconds(plan.endsAt)] : [])];
  const limits = [BigInt(plan.collectWithinSeconds), ...ends.map((end) => (end - due) / PARTS_OF_PERIOD)];
  const within = limits.reduce((least, limit) => (limit < least ? limit : least));
  return within > 0n ? dateOf(due + attemptDelay(id, within)) : dueAt;
}
