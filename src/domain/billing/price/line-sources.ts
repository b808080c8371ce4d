/**
 * What a subscription's payments consist of beyond the price of its plan: the bits of
 * `Subscription.lineSources`. A row without a bit is charged as releases without lines charge it.
 * A worker claims only rows whose bits it knows (`collect/due.ts`), and the database lets a release
 * that knows fewer neither claim a row nor write its payments.
 */
export const LINE_SOURCES = {
  /** Its price is not the plan's amount. */
  PRICE: 1,
  /** It has, or had, payments beside the scheduled ones. */
  EXTRA: 2,
  /** Some of its next payments are waived. */
  WAIVER: 4,
  /** It has, or had, a discount. */
  DISCOUNT: 8,
} as const;

/** The bits that this release knows. */
export const KNOWN_LINE_SOURCES = Object.values(LINE_SOURCES).reduce((known, bit) => known | bit, 0);
