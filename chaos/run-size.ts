/** Number of merchants in every run. */
export const MERCHANTS = 2;

export interface RunSize {
  readonly customers: number;
  readonly rounds: number;
  /** Customers per part, except the part of customers who only pay. */
  readonly customersPerPart: number;
  readonly refundsPerKind: number;
  /** Maximum payers or requests of strangers, per habit. */
  readonly strangersPerHabit: number;
  /** Customers who subscribe through a checkout. */
  readonly checkouts: number;
  /** Faults in each window of a round. */
  readonly faultsPerWindow: readonly [due: number, retries: number, after: number];
  /** The time over which the faults of a window are spread. */
  readonly windowMs: number;
  readonly workers: number;
  /** How long postponed or claimed payments may wait before the time is moved to their due date. */
  readonly patienceMs: number;
}

export const SHORT: RunSize = {
  customers: 110,
  rounds: 2,
  customersPerPart: 3,
  refundsPerKind: 2,
  strangersPerHabit: 6,
  checkouts: 4,
  faultsPerWindow: [10, 6, 5],
  windowMs: 1_500,
  workers: 2,
  patienceMs: 1_500,
};

export const FULL: RunSize = {
  customers: 3_000,
  rounds: 7,
  customersPerPart: 25,
  refundsPerKind: 20,
  strangersPerHabit: 50,
  checkouts: 60,
  faultsPerWindow: [11, 5, 5],
  windowMs: 10_000,
  workers: 3,
  patienceMs: 4_000,
};
