// The schedule of a run. It is computed from the seed alone, before anything starts.

import { Random } from '../tools/random.ts';
import { type FailoverOrder, scheduleFailover } from './failover-schedule.ts';
import { FAULTS } from './faults/catalog.ts';
import type { FaultName, FaultOrder } from './faults/fault.ts';
import { comesBack, PART_NAMES, type Part, type PartName } from './parts.ts';
import { type RefundOrder, scheduleRefunds } from './refund-schedule.ts';
import type { Replication } from './replication.ts';
import type { RunSize } from './run-size.ts';
import { type StrangerOrder, scheduleStrangers } from './stranger-schedule.ts';

export const DAY_SECONDS = 86_400;
export const PRICE = 2_500_000n;
/** The price after one of the discounts, which all take half of it. */
export const REDUCED = PRICE / 2n;
/** What a merchant collects without dues as a part of a period. */
export const PART = 700_000n;

/**
 * The plans. `every` is the interval in rounds. A second pull of the price fits into some limits. The payments
 * of one plan are spread over some seconds, so customers also act between a due date and its attempt.
 */
export const PLANS = [
  { merchant: 0, planId: 'daily', every: 1, limit: (PRICE * 5n) / 2n, spreadSeconds: 0 },
  { merchant: 1, planId: 'daily', every: 1, limit: PRICE, spreadSeconds: 10 },
  { merchant: 0, planId: 'every-other-day', every: 2, limit: (PRICE * 5n) / 2n, spreadSeconds: 0 },
] as const;

/**
 * How a customer subscribes. `vanishes` means through a checkout whose app is closed before it
 * completes the checkout session.
 */
export type Entry = 'seeded' | 'checkout' | 'vanishes';

export interface CastMember {
  /** Index of the wallet. Two customers may have the same one. */
  readonly wallet: number;
  readonly plan: number;
  readonly part: Part;
  readonly entry: Entry;
  /** The discount of the customer's checkout. */
  readonly discount?: CheckoutDiscountName | undefined;
}

/**
 * The discounts of checkouts, for one payment each: `SCARCE` is a code for one customer of a merchant, and
 * `ONCE` is given to each wallet once.
 */
export type CheckoutDiscountName = 'SCARCE' | 'ONCE';

/** Customers who enter the scarce code. More would reach the limit of codes in an hour. */
const MAX_CODES = 8;

/** Every second checkout has the scarce code, and every fourth one the other discount. */
function discountOfCheckout(index: number): CheckoutDiscountName | undefined {
  if (index % 2 === 0) return index < 2 * MAX_CODES ? 'SCARCE' : undefined;
  return index % 4 === 1 ? 'ONCE' : undefined;
}

/** The faults while payments fall due, while they are retried, and while customers come back. */
export interface RoundSchedule {
  readonly due: readonly FaultOrder[];
  readonly retries: readonly FaultOrder[];
  readonly after: readonly FaultOrder[];
}

export interface RunSchedule {
  readonly seed: number;
  readonly size: RunSize;
  readonly cast: readonly CastMember[];
  readonly rounds: readonly RoundSchedule[];
  readonly failover?: FailoverOrder;
  readonly refunds: readonly RefundOrder[];
  readonly strangers: readonly StrangerOrder[];
  /** The secret key of each wallet. */
  readonly wallets: readonly Uint8Array[];
}

/**
 * @param isPossible returns whether a fault can be caused on this machine
 * @param replication of a run in which the primary is lost once, while payments fall due and nothing
 *   else fails
 */
export function scheduleRun(
  seed: number,
  size: RunSize,
  isPossible: (fault: FaultName) => boolean,
  replication?: Replication,
): RunSchedule {
  const random = new Random(seed);
  const cast = scheduleCast(random, size);
  const wallets = Array.from({ length: Math.max(...cast.map(({ wallet }) => wallet)) + 1 }, () =>
    random.bytes(),
  );
  const allRounds = scheduleRounds(random, size, isPossible);
  // Refunds are of the whole price.
  const parts = cast.map(({ part, discount }) => (discount ? undefined : part.name));
  const refunds = scheduleRefunds(random, parts, size);
  const strangers = scheduleStrangers(random, size);
  const payers = cast.flatMap(({ part, entry, plan }, customer) => {
    const onlyPays = part.name === 'pays' && entry === 'seeded' && PLANS[plan]?.every === 1;
    return onlyPays && !refunds.some((refund) => refund.customer === customer) ? [customer] : [];
  });
  const failover = replication && scheduleFailover(seed, { replication, rounds: size.rounds, payers });
  const rounds = allRounds.map((round, index) => (index === failover?.round ? { ...round, due: [] } : round));
  return { seed, size, cast, wallets, rounds, refunds, strangers, ...(failover && { failover }) };
}

function scheduleCast(random: Random, size: RunSize): CastMember[] {
  const cast: CastMember[] = [];
  let wallets = 0;
  for (const name of PART_NAMES.filter((part) => part !== 'pays')) {
    for (let count = 0; count < size.customersPerPart; count += 1) {
      const part = schedulePart(random, name, size.rounds);
      const wallet = wallets++;
      const isPair = name === 'one wallet, two subscriptions, money for one';
      const plans = isPair ? [0, 1] : [random.below(2)];
      const discount = name === 'cancels and subscribes again' && count % 2 === 0 ? 'ONCE' : undefined;
      for (const plan of plans) cast.push({ wallet, plan, part, entry: 'seeded', discount });
    }
  }
  for (let count = 0; count < size.checkouts; count += 1) {
    const part = schedulePart(random, 'pays', size.rounds);
    const entry = count % 4 < 2 ? 'checkout' : 'vanishes';
    const discount = discountOfCheckout(count);
    cast.push({ wallet: wallets++, plan: random.below(2), part, entry, discount });
  }
  while (cast.length < size.customers) {
    const part = schedulePart(random, 'pays', size.rounds);
    cast.push({ wallet: wallets++, plan: random.below(PLANS.length), part, entry: 'seeded' });
  }
  return cast;
}

/** Customers act in the second round at the earliest, and come back in the same round or later. */
function schedulePart(random: Random, name: PartName, rounds: number): Part {
  const round = name === 'pays' ? 0 : random.between(1, rounds - 1);
  return { name, in: round, backIn: comesBack({ name }) ? random.between(round, rounds - 1) : round };
}

/** Chooses faults so that, where the windows allow it, each occurs before any occurs again. */
function scheduleRounds(
  random: Random,
  { rounds, faultsPerWindow: [due, retries, after], windowMs }: RunSize,
  isPossible: (fault: FaultName) => boolean,
): RoundSchedule[] {
  const names = (Object.keys(FAULTS) as FaultName[]).filter(isPossible);
  let remaining: FaultName[] = [];
  let isFirst = true;
  const draw = (count: number, isDue: boolean): FaultOrder[] => {
    const drawn: FaultName[] = [];
    while (drawn.length < count) {
      const mayTravel = drawn.every((name) => !FAULTS[name].travels);
      const fits = (name: FaultName) => {
        const { travels, disturbsPayments, isAlone } = FAULTS[name];
        if (drawn.includes(name)) return false;
        return isDue ? !isAlone && (mayTravel || !travels) : !travels && !disturbsPayments;
      };
      if (!remaining.some(fits)) {
        remaining = [
          ...remaining,
          ...random.shuffled(names.filter((name) => isFirst || !FAULTS[name].isAlone)),
        ];
        isFirst = false;
      }
      // Faults that are possible in the fewest windows come first.
      const [next] = remaining.filter(fits).toSorted((a, b) => windowsOf(a) - windowsOf(b));
      remaining.splice(remaining.indexOf(next as FaultName), 1);
      drawn.push(next as FaultName);
    }
    return drawn.map((fault) => ({
      fault,
      afterMs: FAULTS[fault].disturbsPayments ? 0 : random.below(windowMs),
      choice: random.below(1_000),
      lastsMs: random.between(windowMs / 2, windowMs),
    }));
  };
  // Faults that move time happen only while payments fall due, because they would skip the dates of
  // retries. In the first round customers do nothing after the payments, so it has no later faults.
  return Array.from({ length: rounds }, (_, round) => ({
    due: draw(due, true),
    retries: round === 0 ? [] : draw(retries, false),
    after: round === 0 ? [] : draw(after, false),
  }));
}

/** The approximate number of windows per round in which a fault is possible. */
function windowsOf(fault: FaultName): number {
  const { travels, disturbsPayments, isAlone } = FAULTS[fault];
  return travels ? 0 : disturbsPayments ? 1 : isAlone ? 2 : 3;
}
