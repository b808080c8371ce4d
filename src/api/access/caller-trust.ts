/**
 * Trust in a caller before its request is processed: `proven` if its credential was valid within
 * the last five minutes, `unverified` if its credential is not checked yet, `stranger` without a
 * credential or with an invalid one.
 */
export type CallerTrust = 'proven' | 'unverified' | 'stranger';

/** One value per trust level. */
export type PerTrust<T> = Readonly<Record<CallerTrust, T>>;

export function perTrust<T>(make: (trust: CallerTrust) => T): PerTrust<T> {
  return { proven: make('proven'), unverified: make('unverified'), stranger: make('stranger') };
}
