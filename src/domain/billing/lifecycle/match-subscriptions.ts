// One address can have several subscriptions, because the PDA can be closed and created again. An
// account does not store its creation time, only the start of its current period, and periods start
// at the creation plus whole periods. An account therefore belongs to the newest subscription
// that began by the start of its period, if the distance is a whole number of periods; otherwise
// it is unknown. Subscriptions that were seen to be closed are not passed in.

export interface CreatedSubscription {
  /** Creation time on chain, in unix seconds. */
  readonly chainCreatedAt: bigint;
}

export interface MatchedSubscriptions<T> {
  /** The subscription to which the account belongs. */
  readonly current: T | undefined;
  /** The subscriptions that have ended: the address now has another subscription, or none. */
  readonly over: readonly T[];
  /** Whether the account is an unknown subscription, newer than all of these. */
  readonly isNew: boolean;
}

/**
 * Whether an account whose current period starts at `periodStart` can be the subscription created
 * at `createdAt`.
 */
export function isOfSubscription(createdAt: bigint, periodStart: bigint, periodSeconds: bigint): boolean {
  return periodStart >= createdAt && (periodStart - createdAt) % periodSeconds === 0n;
}

/** `subscriptions` is newest first; `periodStart` is null for a closed account. */
export function matchSubscriptions<T extends CreatedSubscription>(
  subscriptions: readonly T[],
  periodStart: bigint | null,
  periodSeconds: bigint,
): MatchedSubscriptions<T> {
  if (periodStart === null) return { current: undefined, over: subscriptions, isNew: false };
  const begun = subscriptions.filter(({ chainCreatedAt }) => chainCreatedAt <= periodStart);
  const [newest] = begun;
  const current =
    newest && isOfSubscription(newest.chainCreatedAt, periodStart, periodSeconds) ? newest : undefined;
  return {
    current,
    over: begun.filter((subscription) => subscription !== current),
    isNew: current === undefined && begun.length === subscriptions.length,
  };
}
