/**
 * What is known of a caller before its request is processed: its credential was valid a short while
 * ago, it has one that is not verified, or it has none.
 */
export type CallerTrust = 'proven' | 'unverified' | 'stranger';

/** One value per trust level. */
export type PerTrust<T> = Readonly<Record<CallerTrust, T>>;

export function perTrust<T>(make: (trust: CallerTrust) => T): PerTrust<T> {
  return { proven: make('proven'), unverified: make('unverified'), stranger: make('stranger') };
}
