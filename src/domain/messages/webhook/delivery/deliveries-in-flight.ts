import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { EndedAttempt } from './settle-deliveries.ts';

interface InFlight {
  readonly claimed: ClaimedDelivery;
  readonly since: number;
  /** Whether its outcome is known but not written yet. */
  hasEnded: boolean;
}

/** The deliveries in flight of one worker, until their outcomes are written. */
export class DeliveriesInFlight {
  readonly #taken = new Map<string, InFlight>();

  get count(): number {
    return this.#taken.size;
  }

  get ids(): string[] {
    return [...this.#taken.keys()];
  }

  /** The number of deliveries per endpoint or merchant. */
  countBy(key: 'endpointId' | 'merchantId'): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { claimed } of this.#taken.values()) {
      counts.set(claimed[key], (counts.get(claimed[key]) ?? 0) + 1);
    }
    return counts;
  }

  /** Adds a delivery that is about to be sent. */
  add(claimed: ClaimedDelivery, now: number): void {
    this.#taken.set(claimed.id, { claimed, since: now, hasEnded: false });
  }

  /** Marks an attempt as ended. Returns false if `failLate` has already given it an outcome. */
  markEnded({ id, attemptCount }: ClaimedDelivery): boolean {
    const attempt = this.#taken.get(id);
    if (!attempt || attempt.hasEnded || attempt.claimed.attemptCount !== attemptCount) return false;
    attempt.hasEnded = true;
    return true;
  }

  /** Removes a delivery, after the outcome was written. */
  free({ id }: ClaimedDelivery): void {
    this.#taken.delete(id);
  }

  /**
   * Ends attempts that have been in flight for longer than `afterMs` and returns them as failed.
   * They should have ended at their deadline. Without this, a bug there would use their
   * capacity until a restart.
   */
  failLate(now: number, afterMs: number): EndedAttempt[] {
    const late = [...this.#taken.values()].filter(
      ({ since, hasEnded }) => !hasEnded && now - since > afterMs,
    );
    return late.map((attempt) => {
      attempt.hasEnded = true;
      const { claimed, since } = attempt;
      return { claimed, result: NOT_ENDED, signatures: null, durationMs: Math.round(now - since) };
    });
  }
}

const NOT_ENDED = {
  statusCode: null,
  error: 'the attempt did not end in time',
  responseBody: null,
  retryAfterMs: null,
  isTimedOut: true,
};
