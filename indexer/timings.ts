/** Intervals of the indexer in milliseconds. Tests use shorter ones. */
export interface Timings {
  /** A stream without a block for this long counts as broken. */
  readonly blockTimeoutMs: number;
  /** Maximum pause before a broken stream is reopened. */
  readonly maxBackoffMs: number;
  /** Interval of storing the position and the condition. */
  readonly housekeepingMs: number;
  /**
   * Interval of reading which payers are past due; the stream's filter changes at most as often.
   */
  readonly topUpsMs: number;
  /** Interval of retrying updates that were set aside or refused. */
  readonly retryUnappliedMs: number;
  /** Interval of searching for missed transactions, and of comparing accounts with the chain. */
  readonly repairMs: number;
  /** Interval of polls without a stream. */
  readonly pollMs: number;
  /** Interval of taking or checking the leadership. */
  readonly leaderCheckMs: number;
  /** Limit of the work that still runs when the leadership is lost. */
  readonly lastWorkMs: number;
}

export const DEFAULT_TIMINGS: Timings = {
  blockTimeoutMs: 15_000,
  maxBackoffMs: 30_000,
  housekeepingMs: 1_000,
  topUpsMs: 2_000,
  retryUnappliedMs: 5_000,
  repairMs: 10 * 60_000,
  pollMs: 2_000,
  leaderCheckMs: 1_000,
  lastWorkMs: 60_000,
};
