/** The merchants of every run. */
export const MERCHANTS = 2;

export interface RunSize {
  readonly customers: number;
  readonly rounds: number;
  /** Customers per part, apart from those who only pay. */
  readonly ofEachPart: number;
  readonly refundsOfEachKind: number;
  /** Customers who subscribe through a checkout. */
  readonly checkouts: number;
  /** Faults per window of a round. */
  readonly faultsAWindow: readonly [due: number, retries: number, after: number];
  /** The time over which the faults of a window are spread. */
  readonly windowMs: number;
  readonly workers: number;
  /** How long delayed or claimed payments may wait before time is moved to their due date. */
  readonly patienceMs: number;
}

export const SHORT: RunSize = {
  customers: 110,
  rounds: 2,
  ofEachPart: 3,
  refundsOfEachKind: 2,
  checkouts: 4,
  faultsAWindow: [10, 5, 4],
  windowMs: 1_500,
  workers: 2,
  patienceMs: 1_500,
};

export const FULL: RunSize = {
  customers: 3_000,
  rounds: 7,
  ofEachPart: 25,
  refundsOfEachKind: 20,
  checkouts: 60,
  faultsAWindow: [11, 5, 5],
  windowMs: 10_000,
  workers: 3,
  patienceMs: 4_000,
};
