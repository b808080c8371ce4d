/** How often the indexer looks at what, in milliseconds. Tests are in more of a hurry than clusters. */
export interface Timing {
  /** A stream that shows no block for so long is taken for dead. */
  readonly blockTimeoutMs: number;
  /** Longest wait before a broken stream is opened again. */
  readonly maxBackoffMs: number;
  /** Storing the position, and how things are. */
  readonly housekeepingMs: number;
  /** Following who is past due: the stream's filter changes no more often than this. */
  readonly topUpsMs: number;
  /** Reading again what could not be applied. */
  readonly retryUnappliedMs: number;
  /** Comparing the mirror with the whole chain. */
  readonly reconcileMs: number;
  /** Between two looks, where there is no stream. */
  readonly pollMs: number;
  /** Asking for the lead, or whether it is still ours. */
  readonly leaderCheckMs: number;
}

export const DEFAULT_TIMING: Timing = {
  blockTimeoutMs: 15_000,
  maxBackoffMs: 30_000,
  housekeepingMs: 1_000,
  topUpsMs: 2_000,
  retryUnappliedMs: 5_000,
  reconcileMs: 10 * 60_000,
  pollMs: 2_000,
  leaderCheckMs: 1_000,
};
