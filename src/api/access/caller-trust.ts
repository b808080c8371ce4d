/**
 * What is known of a caller before its request is processed: its credential was valid a short while
 * ago, it has one that is not verified, or it has none.
 */
export type CallerTrust = 'proven' | 'unverified' | 'stranger';

/** One value per trust level. */
export type OfEach<T> = Readonly<Record<CallerTrust, T>>;

export function ofEach<T>(make: (trust: CallerTrust) => T): OfEach<T> {
  return { proven: make('proven'), unverified: make('unverified'), stranger: make('stranger') };
}
