// When a payment is due and until when it may be collected. Two clocks tick together here:
//
//   the chain's periods     start ─ L ─ start+L ─ L ─ start+2L ...    one amount may be pulled in each
//   dues' payments          anchor      anchor+L      anchor+2L ...   anchor = start + trial
//
// Payment n (from 0) is due at anchor + n*L and is pulled from the chain's period that holds that moment. The trial
// need not be a whole number of periods; each payment still falls into a period of its own. Once that chain period is
// over a pull would use up the next one's allowance, so from then on the payment is missed, never late.

/**
 * How long a transaction that is sent now may still land: 150 blocks, doubled for slow slots. Nothing is sent so late
 * that it could use up the next period's allowance.
 */
export const LANDING_SECONDS = 120n;

/** What the dates of a subscription are counted from, in unix seconds. */
export interface Schedule {
  /** Start of the chain's first period: the subscription's creation on chain. */
  readonly startedAt: bigint;
  readonly intervalSeconds: bigint;
  readonly trialSeconds: bigint;
}

export interface PaymentWindow {
  /** 0 for the first payment. */
  readonly index: bigint;
  readonly dueAt: bigint;
  /** The chain's period that it is pulled from: [periodStart, periodEnd). */
  readonly periodStart: bigint;
  readonly periodEnd: bigint;
}

/** Payment `index` of a schedule. */
export function paymentWindow(schedule: Schedule, index: bigint): PaymentWindow {
  const { startedAt, intervalSeconds, trialSeconds } = schedule;
  const dueAt = startedAt + trialSeconds + index * intervalSeconds;
  const periodStart = startedAt + ((dueAt - startedAt) / intervalSeconds) * intervalSeconds;
  return { index, dueAt, periodStart, periodEnd: periodStart + intervalSeconds };
}

/** The payment whose due date is `dueAt`; undefined where the schedule has no such date. */
export function paymentDueAt(schedule: Schedule, dueAt: bigint): PaymentWindow | undefined {
  const sinceAnchor = dueAt - schedule.startedAt - schedule.trialSeconds;
  if (sinceAnchor < 0n || sinceAnchor % schedule.intervalSeconds !== 0n) return undefined;
  return paymentWindow(schedule, sinceAnchor / schedule.intervalSeconds);
}

/** The payment that is pulled from the chain's period that starts at `periodStart`; undefined while in the trial. */
export function paymentOfPeriod(schedule: Schedule, periodStart: bigint): PaymentWindow | undefined {
  const { startedAt, intervalSeconds, trialSeconds } = schedule;
  const period = (periodStart - startedAt) / intervalSeconds;
  const index = period - trialSeconds / intervalSeconds;
  return index < 0n ? undefined : paymentWindow(schedule, index);
}

/** The payments before `next`, from the one that is due at `dueAt` on; of many the newest. None where it is not later. */
export function windowsBefore(schedule: Schedule, dueAt: bigint, next: PaymentWindow): PaymentWindow[] {
  const from = paymentDueAt(schedule, dueAt)?.index ?? next.index;
  const first = next.index - from > MOST_MISSED ? next.index - MOST_MISSED : from;
  const windows: PaymentWindow[] = [];
  for (let index = first; index < next.index; index++) windows.push(paymentWindow(schedule, index));
  return windows;
}

export type Decision =
  /** Too early: look again at `window.dueAt`. */
  | { readonly kind: 'wait'; readonly window: PaymentWindow }
  /** Pull it now. */
  | { readonly kind: 'collect'; readonly window: PaymentWindow }
  /** It may still be pulled, but what is sent now could land in the next period: wait for the period to end. */
  | { readonly kind: 'too_late_to_send'; readonly window: PaymentWindow }
  /** The periods of these payments are over: they are missed, and `next` is what comes now. */
  | { readonly kind: 'missed'; readonly missed: readonly PaymentWindow[]; readonly next: PaymentWindow };

/** So many missed payments are written down one by one; of a longer gap only the newest are. */
const MOST_MISSED = 100n;

/**
 * What to do about the payment that is due next (at `dueAt`), at `now`. `landingSeconds` is how long a transaction that
 * is sent now may still land.
 */
export function decide(schedule: Schedule, dueAt: bigint, now: bigint, landingSeconds: bigint): Decision {
  const window = paymentDueAt(schedule, dueAt);
  if (!window) throw new RangeError(`${dueAt} is no due date of the schedule`);
  if (now < window.dueAt) return { kind: 'wait', window };
  if (now < window.periodEnd) {
    return now + landingSeconds < window.periodEnd
      ? { kind: 'collect', window }
      : { kind: 'too_late_to_send', window };
  }
  const over = (now - window.periodEnd) / schedule.intervalSeconds + 1n;
  const nextIndex = window.index + over;
  const next = paymentWindow(schedule, nextIndex);
  return { kind: 'missed', missed: windowsBefore(schedule, dueAt, next), next };
}
