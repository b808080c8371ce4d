/**
 * The allowed pulls of a subscription as a pure function of time: the rules of the program, written
 * independently of its code.
 *
 * 1. Periods follow each other without gaps from the time of subscribing. Each has the plan's
 *    length.
 * 2. At most the price is pulled in each period. An amount that is not pulled in it is forfeited.
 * 3. A plan with an end can be pulled up to and including that second, but no period starts in it.
 * 4. A cancelled subscription continues until the end of its current period, or of the plan.
 */
export type Terms = { price: bigint; period: bigint; planEnd: bigint | null };
export type SubscriptionState = { periodStart: bigint; pulled: bigint; expiresAt: bigint | null };
export type Command = { kind: 'pull'; amount: bigint } | { kind: 'cancel' } | { kind: 'resume' };

/** The new state, or the program's error code. */
export type Verdict = { state: SubscriptionState } | { refused: number };

const PLAN_EXPIRED = 501;
const SUBSCRIPTION_CANCELLED = 508;
const ALREADY_CANCELLED = 509;
const NOT_CANCELLED = 510;
const INVALID_AMOUNT = 129;
const AMOUNT_EXCEEDS_LIMIT = 400;

const earlier = (a: bigint, b: bigint) => (a < b ? a : b);

function hasEnded({ planEnd }: Terms, now: bigint): boolean {
  return planEnd !== null && now > planEnd;
}

/** The start of the current period. */
function currentPeriodStart(terms: Terms, { periodStart }: SubscriptionState, now: bigint): bigint {
  const lastStart = terms.planEnd === null ? now : earlier(now, terms.planEnd - 1n);
  return periodStart + ((lastStart - periodStart) / terms.period) * terms.period;
}

function pull(terms: Terms, state: SubscriptionState, amount: bigint, now: bigint): Verdict {
  if (hasEnded(terms, now)) return { refused: PLAN_EXPIRED };
  if (state.expiresAt !== null && now >= state.expiresAt) return { refused: SUBSCRIPTION_CANCELLED };
  if (amount === 0n) return { refused: INVALID_AMOUNT };
  const periodStart = currentPeriodStart(terms, state, now);
  const pulledBefore = periodStart === state.periodStart ? state.pulled : 0n;
  if (pulledBefore + amount > terms.price) return { refused: AMOUNT_EXCEEDS_LIMIT };
  return { state: { ...state, periodStart, pulled: pulledBefore + amount } };
}

function cancel(terms: Terms, state: SubscriptionState, now: bigint): Verdict {
  if (state.expiresAt !== null) return { refused: ALREADY_CANCELLED };
  const startedPeriods = (now - state.periodStart) / terms.period + 1n;
  const endOfPeriod = state.periodStart + startedPeriods * terms.period;
  // A pull is possible in the plan's last second, so the subscription ends one second later.
  const expiresAt = terms.planEnd === null ? endOfPeriod : earlier(endOfPeriod, terms.planEnd + 1n);
  return { state: { ...state, expiresAt } };
}

function resume(terms: Terms, state: SubscriptionState, now: bigint): Verdict {
  if (state.expiresAt === null) return { refused: NOT_CANCELLED };
  if (hasEnded(terms, now)) return { refused: PLAN_EXPIRED };
  if (state.expiresAt <= now) return { refused: SUBSCRIPTION_CANCELLED };
  return { state: { ...state, expiresAt: null } };
}

export function judge(terms: Terms, state: SubscriptionState, command: Command, now: bigint): Verdict {
  if (command.kind === 'pull') return pull(terms, state, command.amount, now);
  if (command.kind === 'cancel') return cancel(terms, state, now);
  return resume(terms, state, now);
}
