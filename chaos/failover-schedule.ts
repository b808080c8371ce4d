import { Random } from '../tools/random.ts';
import type { Replication } from './replication.ts';

/** Maximum time until somebody notices that the primary is gone. */
const MAX_NOTICED_AFTER_MS = 5_000;
/** The failover is at any time while payments fall due, are collected and are delivered. */
const MAX_AFTER_MS = 6_000;
/** How long an asynchronous standby has received nothing when the primary is lost. */
const [MIN_UNRECEIVED_MS, MAX_UNRECEIVED_MS] = [500, 5_000];
/** Customers of whom a merchant cancels while an asynchronous standby receives nothing. */
const CANCELLED = 4;

/** When and how the primary is lost. */
export interface FailoverOrder {
  readonly replication: Replication;
  readonly round: number;
  readonly afterMs: number;
  /** Whether its machine falls silent and runs on, instead of being killed. */
  readonly isSilent: boolean;
  readonly noticedAfterMs: number;
  /** How long the standby has received nothing then; 0 if it is synchronous. */
  readonly unreceivedMs: number;
  /** Indexes in the cast: customers of whom a merchant cancels in that time. */
  readonly cancelled: readonly number[];
}

/**
 * Chooses from other numbers than the rest of the schedule, which stays as it is without a failover.
 *
 * @param payers indexes in the cast: customers who only pay, in every round
 */
export function scheduleFailover(
  seed: number,
  {
    replication,
    rounds,
    payers,
  }: { readonly replication: Replication; readonly rounds: number; readonly payers: readonly number[] },
): FailoverOrder {
  const random = new Random(seed);
  const order = {
    replication,
    round: random.below(rounds),
    afterMs: random.below(MAX_AFTER_MS),
    isSilent: random.below(2) === 0,
    noticedAfterMs: random.below(MAX_NOTICED_AFTER_MS),
  };
  if (replication === 'synchronous') return { ...order, unreceivedMs: 0, cancelled: [] };
  return {
    ...order,
    unreceivedMs: random.between(MIN_UNRECEIVED_MS, MAX_UNRECEIVED_MS),
    cancelled: random.shuffled(payers).slice(0, CANCELLED),
  };
}
