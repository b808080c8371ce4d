/** Intervals of the indexer in milliseconds. Tests use shorter ones. */
export interface Timings {
  /** A stream without a block for this long counts as dead. */
  readonly blockTimeoutMs: number;
  /** Maximum pause before a broken stream is reopened. */
  readonly maxBackoffMs: number;
  /** Storing the position and the state. */
  readonly housekeepingMs: number;
  /** Reading which payers are past due; the stream's filter changes at most this often. */
  readonly topUpsMs: number;
  /** Retrying updates that were set aside. */
  readonly retryUnappliedMs: number;
  /** Searching for missed transactions, and comparing the mirror with the chain. */
  readonly reconcileMs: number;
  /** Interval of polls without a stream. */
  readonly pollMs: number;
  /** Taking or checking the leadership. */
  readonly leaderCheckMs: number;
}

export const DEFAULT_TIMING: Timings = {
  blockTimeoutMs: 15_000,
  maxBackoffMs: 30_000,
  housekeepingMs: 1_000,
  topUpsMs: 2_000,
  retryUnappliedMs: 5_000,
  reconcileMs: 10 * 60_000,
  pollMs: 2_000,
  leaderCheckMs: 1_000,
};
