// What customers do, and what the result must be regardless of faults. The rules do not depend on
// the code of dues: they are those that merchants were promised.
//
// A round is one day, with these phases:
//   before    customers act without faults, after yesterday's payments
//   due       the day's payments fall due during faults; some customers act at the same time
//   rescue    customers who could not pay get money, some only after the second attempt
//   retries   the second and third attempts are made
//   after     customers cancel, resume and come back

/** What a customer does. */
export type PartName =
  | 'pays'
  | 'no money, topped up after the first attempt'
  | 'no money, topped up after the second attempt'
  | 'no money, never topped up'
  | 'expires and comes back'
  | 'cancels'
  | 'cancels and resumes'
  | 'cancels and subscribes again'
  | 'approval revoked and repaired'
  | 'approval revoked, never repaired'
  | 'closes the authority'
  | 'cancelled by the merchant'
  | 'cancels during collection'
  | 'loses its money during collection'
  | 'the merchant collects too'
  | 'the merchant collects a part'
  | 'one wallet, two subscriptions, money for one'
  | 'skips a payment'
  | 'gets a period for free'
  | 'pauses, and resumes with a payment'
  | 'cannot pay, and the payment is waived'
  | 'the payment is waived during collection'
  | 'gets a discount'
  | 'gets a discount during collection'
  | 'loses its discount during collection';

export interface Part {
  readonly name: PartName;
  /** The round in which the customer acts. All earlier payments succeed. */
  readonly in: number;
  /** The round in which a customer whose subscription ended comes back. */
  readonly backIn: number;
}

/** The expected result on chain, in the API and at the merchant's server. */
export interface Expectation {
  /** Rounds with a payment. */
  readonly paid: readonly number[];
  /**
   * Rounds that may or may not have a payment, because the customer cancelled during collection.
   */
  readonly mayPay: readonly number[];
  /** Rounds whose payment has the reduced price. */
  readonly reduced: readonly number[];
  /** Rounds whose payment may have it, because the discount changed during collection. */
  readonly mayReduce: readonly number[];
  /** Maximum payments with the reduced price. */
  readonly maxReduced: number;
  /** Rounds in which a period begins, if the subscription never ends; otherwise undefined. */
  readonly periods: readonly number[] | undefined;
  readonly state: 'active' | 'cancelled' | 'expired';
  /** Matches the webhooks in order, without those of refunds, as one letter each: see `LETTERS`. */
  readonly story: RegExp;
}

/** A customer without a discount. */
const FULL_PRICE = { reduced: [], mayReduce: [], maxReduced: 0 } as const;

/**
 * The expected result for a customer of a daily plan who only pays, and whose merchant cancels while
 * that round's payments are collected and the primary is lost. If the cancellation is lost too,
 * nobody promises whether the customer is charged afterwards.
 */
export function expectationWhenCancelled(
  cancelledIn: number,
  { rounds, isKept }: { readonly rounds: number; readonly isKept: boolean },
): Expectation {
  const all = Array.from({ length: rounds }, (_, round) => round);
  const paid = all.filter((round) => round < cancelledIn);
  return {
    paid,
    mayPay: isKept ? [cancelledIn] : all.filter((round) => round >= cancelledIn),
    ...FULL_PRICE,
    periods: undefined,
    state: isKept ? 'cancelled' : 'active',
    story: new RegExp(`^${'P'.repeat(paid.length)}${isKept ? '(PC|CP|C)' : 'P*'}$`),
  };
}

/** The letter of each event type. */
export const LETTERS: Readonly<Record<string, string>> = {
  'subscription.created': 'N',
  'subscription.payment_succeeded': 'P',
  'subscription.payment_failed': 'F',
  'subscription.expired': 'X',
  // They change no status, and may arrive at any time before the end.
  'subscription.cancellation_scheduled': '',
  'subscription.cancellation_undone': '',
  'subscription.cancelled': 'C',
  'subscription.payment_missed': 'M',
  'subscription.payment_reversed': 'V',
  'subscription.resumed': 'R',
  'subscription.paused': 'Z',
  'subscription.unpaused': 'U',
  'subscription.payment_waived': 'W',
  // It may arrive at any time, and `judge-refunds.ts` checks it.
  'payment.refunded': '',
  'payment.refunded_again': '',
  'checkout.subscribed_again': '',
};

/** The result of the round in which a customer does not only pay. */
interface RoundResult {
  /** Letters of the webhooks in that round, as a regular expression. */
  readonly story: string;
  readonly pays: 'yes' | 'no' | 'maybe';
  readonly state: Expectation['state'];
  /** Letters of the webhooks when the customer comes back, before the next payment. */
  readonly back?: string;
  /** Letters of the webhooks that come with the next payment, before it. */
  readonly next?: string;
  /**
   * Whether the payments have the reduced price, from that round on. Of those that only may have it, one
   * has it at most.
   */
  readonly reduced?: readonly ('yes' | 'maybe')[];
}

const ROUND_RESULTS: Readonly<Record<PartName, RoundResult>> = {
  pays: { story: 'P', pays: 'yes', state: 'active' },
  'no money, topped up after the first attempt': { story: 'F{1,2}P', pays: 'yes', state: 'active' },
  'no money, topped up after the second attempt': { story: 'F{1,2}P', pays: 'yes', state: 'active' },
  'no money, never topped up': { story: 'FFFX', pays: 'no', state: 'expired' },
  'expires and comes back': { story: 'FFFX', pays: 'no', state: 'expired', back: 'N' },
  cancels: { story: 'C', pays: 'no', state: 'cancelled' },
  // dues may observe both changes together, and then records no event for either.
  'cancels and resumes': { story: 'P(CR)?', pays: 'yes', state: 'active' },
  'cancels and subscribes again': { story: 'C', pays: 'no', state: 'cancelled', back: 'N' },
  // A missing approval is not a failure while the mirror is behind.
  'approval revoked and repaired': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  'approval revoked, never repaired': { story: 'FFFX', pays: 'no', state: 'expired' },
  // Until the transaction is observed, a closed authority looks like a missing approval.
  'closes the authority': { story: 'F?C', pays: 'no', state: 'cancelled' },
  'cancelled by the merchant': { story: 'C', pays: 'no', state: 'cancelled' },
  'cancels during collection': { story: '(PC|CP|C)', pays: 'maybe', state: 'cancelled' },
  'loses its money during collection': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  // Either dues or the merchant collects first, and there is one payment. Where the limit is above the
  // price, both may land.
  'the merchant collects too': { story: 'P{1,2}', pays: 'yes', state: 'active' },
  'the merchant collects a part': { story: 'P{1,2}', pays: 'yes', state: 'active' },
  'one wallet, two subscriptions, money for one': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  'skips a payment': { story: 'ZW', pays: 'no', state: 'active', next: 'U' },
  'gets a period for free': { story: 'W', pays: 'no', state: 'active' },
  // The payment may have been waived already when the customer resumes.
  'pauses, and resumes with a payment': { story: 'ZW?UP', pays: 'yes', state: 'active' },
  'cannot pay, and the payment is waived': { story: 'F{0,3}W', pays: 'no', state: 'active' },
  'the payment is waived during collection': { story: '(P|W)', pays: 'maybe', state: 'active' },
  'gets a discount': { story: 'P', pays: 'yes', state: 'active', reduced: ['yes', 'yes'] },
  // Before the payment is written or after it.
  'gets a discount during collection': {
    story: 'P',
    pays: 'yes',
    state: 'active',
    reduced: ['maybe', 'maybe'],
  },
  'loses its discount during collection': {
    story: 'P',
    pays: 'yes',
    state: 'active',
    reduced: ['maybe'],
  },
};

export const PART_NAMES = Object.keys(ROUND_RESULTS) as PartName[];

/** Whether the subscription of a customer with this part ends, and the customer comes back. */
export function comesBack({ name }: Pick<Part, 'name'>): boolean {
  return ROUND_RESULTS[name].back !== undefined;
}

/**
 * The expected result of a part after `rounds` rounds, of which every `every`-th has a payment.
 * `created` says whether the customer subscribed through a checkout, which records an event. If the
 * round of the part was not played, the customer only paid.
 */
export function expectationOf(
  part: Part,
  { rounds, every, created }: { readonly rounds: number; readonly every: number; readonly created: boolean },
): Expectation {
  const due = Array.from({ length: rounds }, (_, round) => round).filter((round) => round % every === 0);
  const isPlayed = part.in < rounds;
  const result = ROUND_RESULTS[isPlayed ? part.name : 'pays'];
  const isBack = result.back !== undefined && part.backIn < rounds;
  const before = due.filter((round) => round < part.in);
  const stays = result.state === 'active';
  const after = due.filter((round) => (stays ? round > part.in : isBack && round >= part.backIn));
  const fromThen = due.filter((round) => round >= part.in);
  const reducing = (how: 'yes' | 'maybe') =>
    fromThen.filter((_, index) => isPlayed && result.reduced?.[index] === how);
  const [reduced, mayReduce] = [reducing('yes'), reducing('maybe')];
  const story = [
    created ? 'N' : '',
    'P'.repeat(before.length),
    isPlayed ? result.story : '',
    isBack ? result.back : '',
    isPlayed && after.length > 0 ? result.next : '',
    'P'.repeat(after.length),
  ];
  return {
    paid: [...before, ...(result.pays === 'yes' && isPlayed ? [part.in] : []), ...after],
    mayPay: result.pays === 'maybe' ? [part.in] : [],
    reduced,
    mayReduce,
    maxReduced: reduced.length + Math.min(mayReduce.length, 1),
    periods: stays ? due : undefined,
    state: stays || isBack ? 'active' : result.state,
    story: new RegExp(`^${story.join('')}$`),
  };
}
