// What customers do, and what the result must be regardless of faults. It does not depend on dues:
// the rules are those that merchants were promised.
//
// A round is one day, with these phases:
//   before    customers act without faults, after yesterday's payments
//   due       the day's payments fall due during faults; some customers act at the same time
//   rescue    customers who could not pay get money, some only after the second attempt
//   retries   the second and third attempts are made
//   after     customers cancel, resume and come back

/** The part of a customer; `in` is its round. */
export type PartName =
  | 'pays'
  | 'dry, filled after the first try'
  | 'dry, filled after the second try'
  | 'dry for good'
  | 'expires and comes back'
  | 'cancels'
  | 'cancels and resumes'
  | 'cancels and subscribes anew'
  | 'approval revoked and repaired'
  | 'approval revoked for good'
  | 'closes the authority'
  | 'cancelled by the merchant'
  | 'cancels while it is collected'
  | 'runs dry while it is collected'
  | 'the merchant collects too'
  | 'one wallet, two subscriptions, money for one';

export interface Part {
  readonly name: PartName;
  /** The round in which it happens. All payments before that are made. */
  readonly in: number;
  /** The round in which an ended customer comes back. */
  readonly backIn: number;
}

/** The expected result on chain, in the API and at the merchant's server. */
export interface Expectation {
  /** Rounds with a payment. */
  readonly paid: readonly number[];
  /** Rounds that may have a payment: the customer cancelled while it was collected. */
  readonly mayPay: readonly number[];
  readonly state: 'active' | 'cancelled' | 'expired';
  /** The webhooks in order without those of refunds, as one letter each: see `LETTERS`. */
  readonly story: RegExp;
}

/** The letter of each event type. */
export const LETTERS: Readonly<Record<string, string>> = {
  'subscription.created': 'N',
  'subscription.payment_succeeded': 'P',
  'subscription.payment_failed': 'F',
  'subscription.expired': 'X',
  'subscription.cancelled': 'C',
  'subscription.payment_missed': 'M',
  'subscription.payment_reversed': 'V',
  'subscription.resumed': 'R',
  // Arrives at any time: `judge-refunds.ts` judges it.
  'payment.refunded': '',
};

/** The result from the round in which a part differs from a paying customer. */
interface Turn {
  /** Letters of that round. */
  readonly story: string;
  readonly pays: 'yes' | 'no' | 'maybe';
  readonly state: Expectation['state'];
  /** Letters of coming back, before the next payment. */
  readonly back?: string;
}

const TURNS: Readonly<Record<PartName, Turn>> = {
  pays: { story: 'P', pays: 'yes', state: 'active' },
  'dry, filled after the first try': { story: 'F{1,2}P', pays: 'yes', state: 'active' },
  'dry, filled after the second try': { story: 'F{1,2}P', pays: 'yes', state: 'active' },
  'dry for good': { story: 'FFFX', pays: 'no', state: 'expired' },
  'expires and comes back': { story: 'FFFX', pays: 'no', state: 'expired', back: 'N' },
  cancels: { story: 'C', pays: 'no', state: 'cancelled' },
  // Both changes may be seen together, without an event for the state between them.
  'cancels and resumes': { story: 'P(CR)?', pays: 'yes', state: 'active' },
  'cancels and subscribes anew': { story: 'C', pays: 'no', state: 'cancelled', back: 'N' },
  // A missing approval is not a failure while the mirror is behind.
  'approval revoked and repaired': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  'approval revoked for good': { story: 'FFFX', pays: 'no', state: 'expired' },
  // Until its transaction is seen, a closed authority looks like a missing approval.
  'closes the authority': { story: 'F?C', pays: 'no', state: 'cancelled' },
  'cancelled by the merchant': { story: 'C', pays: 'no', state: 'cancelled' },
  'cancels while it is collected': { story: '(PC|CP|C)', pays: 'maybe', state: 'cancelled' },
  'runs dry while it is collected': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  // Either side may collect first: there is one payment.
  'the merchant collects too': { story: 'P', pays: 'yes', state: 'active' },
  'one wallet, two subscriptions, money for one': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
};

export const PART_NAMES = Object.keys(TURNS) as PartName[];

/** Whether a customer with this part ends and comes back later. */
export function comesBack({ name }: Pick<Part, 'name'>): boolean {
  return TURNS[name].back !== undefined;
}

/**
 * The expected result of a part after `rounds` rounds, of which each `every`-th has a payment.
 * `created`: whether the customer came through a checkout, which has an event. A part whose round
 * was not played only paid.
 */
export function expectationOf(
  part: Part,
  { rounds, every, created }: { readonly rounds: number; readonly every: number; readonly created: boolean },
): Expectation {
  const due = Array.from({ length: rounds }, (_, round) => round).filter((round) => round % every === 0);
  const isPlayed = part.in < rounds;
  const turn = TURNS[isPlayed ? part.name : 'pays'];
  const isBack = turn.back !== undefined && part.backIn < rounds;
  const before = due.filter((round) => round < part.in);
  const stays = turn.state === 'active';
  const after = due.filter((round) => (stays ? round > part.in : isBack && round >= part.backIn));
  const story = [
    created ? 'N' : '',
    'P'.repeat(before.length),
    isPlayed ? turn.story : '',
    isBack ? turn.back : '',
    'P'.repeat(after.length),
  ];
  return {
    paid: [...before, ...(turn.pays === 'yes' && isPlayed ? [part.in] : []), ...after],
    mayPay: turn.pays === 'maybe' ? [part.in] : [],
    state: stays || isBack ? 'active' : turn.state,
    story: new RegExp(`^${story.join('')}$`),
  };
}
