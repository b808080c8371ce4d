/** A transaction that is not seen on chain after this time is resent. */
const RESEND_AFTER_MS = 2_000;

interface UnseenTransaction {
  readonly id: string;
  /** By the clock of billing. */
  readonly createdAt: Date;
}

/** The times at which this process last sent each transaction in flight of an environment. */
export class Resends {
  /** Times of the machine's monotonic timer. */
  #sentAt = new Map<string, number>();

  /**
   * Returns the ids of the transactions to resend now, each at most once in two seconds. `unseen`
   * has all transactions that may still land; others are forgotten.
   */
  take(unseen: readonly UnseenTransaction[], now: Date): string[] {
    const nowMs = performance.now();
    const sentAt = new Map<string, number>();
    const taken: string[] = [];
    for (const { id, createdAt } of unseen) {
      const lastSentAtMs = this.#sentAt.get(id) ?? nowMs - (now.getTime() - createdAt.getTime());
      const isOverdue = nowMs - lastSentAtMs >= RESEND_AFTER_MS;
      if (isOverdue) taken.push(id);
      sentAt.set(id, isOverdue ? nowMs : lastSentAtMs);
    }
    this.#sentAt = sentAt;
    return taken;
  }
}
