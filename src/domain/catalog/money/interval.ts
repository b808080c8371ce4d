export type NamedInterval = 'MONTH' | 'QUARTER' | 'YEAR';

/** Seconds of the intervals that have a name. Twelve months of 730 hours are exactly a year of 365 days. */
export const INTERVAL_SECONDS: Readonly<Record<NamedInterval, number>> = {
  MONTH: 2_628_000,
  QUARTER: 7_884_000,
  YEAR: 31_536_000,
};
