// One address can have several subscriptions, because the PDA can be closed and created again. An
// account does not store its creation time, only the start of its last period with a pull, and
// periods start at the creation plus whole periods. An account therefore belongs to the newest
// subscription that began by the start of its period, if the distance is a whole number of periods;
// otherwise it is unknown. Without a pull, the period is still the first one. Subscriptions that were
// seen to be closed are not passed in.
import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';

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

/** What an account says of its creation. */
type Begun = Pick<SubscriptionAccount, 'periodStart' | 'pulled'>;

/** Whether a subscription that was created at `createdAt` has a period that starts at `periodStart`. */
export function hasPeriod(createdAt: bigint, periodStart: bigint, periodSeconds: bigint): boolean {
  return periodStart >= createdAt && (periodStart - createdAt) % periodSeconds === 0n;
}

/**
 * Whether an account can be the subscription that was created at `createdAt`. The program moves
 * `periodStart` only with a pull, and refuses a pull of 0. So an account without a pull was created at
 * its `periodStart`, even if an earlier subscription at the address has a period that starts then.
 */
export function isOfSubscription(
  createdAt: bigint,
  { periodStart, pulled }: Begun,
  periodSeconds: bigint,
): boolean {
  return pulled === 0n ? periodStart === createdAt : hasPeriod(createdAt, periodStart, periodSeconds);
}

/** `subscriptions` is newest first; `account` is null if it is closed. */
export function matchSubscriptions<T extends CreatedSubscription>(
  subscriptions: readonly T[],
  account: Begun | null,
  periodSeconds: bigint,
): MatchedSubscriptions<T> {
  if (account === null) return { current: undefined, over: subscriptions, isNew: false };
  const { periodStart } = account;
  const begun = subscriptions.filter(({ chainCreatedAt }) => chainCreatedAt <= periodStart);
  const [newest] = begun;
  const current =
    newest && isOfSubscription(newest.chainCreatedAt, account, periodSeconds) ? newest : undefined;
  return {
    current,
    over: begun.filter((subscription) => subscription !== current),
    isNew: current === undefined && begun.length === subscriptions.length,
  };
}
