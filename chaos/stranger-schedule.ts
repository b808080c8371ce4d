import type { Random } from '../tools/random.ts';
import type { RunSize } from './run-size.ts';

/** What strangers do. */
export const STRANGER_HABITS = [
  /** Payers whose token accounts name 10 MB accounts, of which a read never ends. */
  'large delegates',
  /** A checkout whose wallet is a 10 MB account. */
  'large wallets',
  /** A completion that names a transaction with the largest inner instructions. */
  'large transactions',
  /** Payers, with and without an approval, who hold more than a signed number. */
  'large amounts',
  /** The whole schema, asked with one key. */
  'introspection',
] as const;

export type StrangerHabit = (typeof STRANGER_HABITS)[number];

export interface StrangerOrder {
  readonly habit: StrangerHabit;
  readonly round: number;
  /** The number of payers or requests. */
  readonly count: number;
}

/**
 * Gives every habit a round. The first round has none, so that honest customers have paid before.
 */
export function scheduleStrangers(random: Random, { rounds, strangersPerHabit }: RunSize): StrangerOrder[] {
  return STRANGER_HABITS.map((habit) => ({
    habit,
    round: random.between(1, rounds - 1),
    count: random.between(1, strangersPerHabit),
  }));
}
