// One address, several lives: the PDA can be closed and made again. An account does not say when it was created, only
// where its current period starts; a life's periods start at its creation plus whole intervals. So an account is of the
// newest life that had begun by its period's start, if the distance fits; else it is a life that we do not know. Lives
// that were seen to be closed are not among those that are asked about.

export interface Life {
  /** The chain's creation time, in unix seconds. */
  readonly chainCreatedAt: bigint;
}

export interface MatchedLives<T> {
  /** The life that the account is. */
  readonly current: T | undefined;
  /** Those that are over, because the address holds another life now or nothing. */
  readonly over: readonly T[];
  /** The account is a life that is not among them, and newer than all of them. */
  readonly isNew: boolean;
}

/** Whether an account whose current period starts at `periodStart` can be the life that was created at `createdAt`. */
export function isOfLife(createdAt: bigint, periodStart: bigint, intervalSeconds: bigint): boolean {
  return periodStart >= createdAt && (periodStart - createdAt) % intervalSeconds === 0n;
}

/** `lives` newest first; `periodStart` is null where the account is closed. */
export function matchLives<T extends Life>(
  lives: readonly T[],
  periodStart: bigint | null,
  intervalSeconds: bigint,
): MatchedLives<T> {
  if (periodStart === null) return { current: undefined, over: lives, isNew: false };
  const begun = lives.filter(({ chainCreatedAt }) => chainCreatedAt <= periodStart);
  const [newest] = begun;
  const current =
    newest && isOfLife(newest.chainCreatedAt, periodStart, intervalSeconds) ? newest : undefined;
  return {
    current,
    over: begun.filter((life) => life !== current),
    isNew: current === undefined && begun.length === lives.length,
  };
}
