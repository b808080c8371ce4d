// What merchants were told is done, and what is left of it after a failover.

/** Something that dues confirmed to a merchant: with status 200, or with a webhook that it accepted. */
export interface Acknowledged {
  readonly kind: 'checkout' | 'refund' | 'cancellation' | 'event';
  /** The id of its row; of a cancellation the address of the subscription. */
  readonly id: string;
  /** Index of the merchant. */
  readonly merchant: number;
  /** When the merchant knew it, in milliseconds of the chain's time. */
  readonly atMs: number;
  /**
   * Whether dues must have it again: a fact of the chain, which it reads again under the same id, and a
   * cancellation that Redis keeps, which it does again.
   */
  readonly mustReturn: boolean;
}

/** A time whose rows may be lost. The ends are milliseconds; null if the beginning is not known. */
export interface LostWindow {
  readonly fromMs: number | null;
  readonly untilMs: number;
}

/** What `service.restored` said to a merchant. */
export interface ToldWindow extends LostWindow {
  readonly merchant: number;
}

export interface LostRows {
  /** Lost, and nobody could know. */
  readonly unlisted: readonly Acknowledged[];
  /** Lost, within a time that the merchant and the operator know. */
  readonly listed: readonly Acknowledged[];
}

/**
 * Sorts what is lost. A row is listed if both say that its time may be lost: `service.restored` to its
 * merchant, and `dues reconcile` to the operator. What must return is never listed.
 *
 * @param lost what was acknowledged and has no row any more
 * @param printed the times that `dues reconcile` printed
 */
export function sortLost(
  lost: readonly Acknowledged[],
  told: readonly ToldWindow[],
  printed: readonly LostWindow[],
): LostRows {
  const isListed = ({ mustReturn, merchant, atMs }: Acknowledged) => {
    const covers = ({ fromMs, untilMs }: LostWindow) => (fromMs ?? 0) <= atMs && atMs <= untilMs;
    const own = told.filter((window) => window.merchant === merchant);
    return !mustReturn && own.some(covers) && printed.some(covers);
  };
  return { unlisted: lost.filter((row) => !isListed(row)), listed: lost.filter(isListed) };
}

/** The times in the output of `dues reconcile`. A time without an end ends at `nowMs`. */
export function printedWindows(stdout: string, nowMs: number): LostWindow[] {
  const lines = stdout.matchAll(/ from (\S+|an unknown time) to (\S+) may be lost$/gm);
  return Array.from(lines, ([, from = '', until = '']) => ({
    fromMs: from === 'an unknown time' ? null : Date.parse(from),
    untilMs: until === 'now' ? nowMs : Date.parse(until),
  }));
}
