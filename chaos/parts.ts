// What customers do, and what must have come of it whatever went wrong meanwhile. Knows nothing of dues: the rules are
// those that merchants were promised.
//
// A round is one day. In each of them:
//   before    customers act while all is quiet, with yesterday's payments behind them
//   due       the day's payments fall due, while things go wrong; some customers race them
//   rescue    those who could not pay are given money, some of them only after the second try
//   retries   the second and third tries pass
//   after     customers change their mind, and come back

/** How a customer's story goes; `in` says in which round. */
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
  /** In which round it happens; its payments before that are all made. */
  readonly in: number;
  /** In which round who was over comes back. */
  readonly backIn: number;
}

/** What the chain, the books and the merchant's server must say in the end. */
export interface Expectation {
  /** Rounds whose payment must have been made. */
  readonly paid: readonly number[];
  /** Rounds whose payment may have been made: the customer cancelled while it was collected. */
  readonly mayPay: readonly number[];
  readonly state: 'active' | 'cancelled' | 'expired';
  /** The webhooks in their order, a letter each: see `LETTERS`. */
  readonly story: RegExp;
}

/** Letters that stories are told in. */
export const LETTERS: Readonly<Record<string, string>> = {
  'subscription.created': 'N',
  'subscription.payment_succeeded': 'P',
  'subscription.payment_failed': 'F',
  'subscription.expired': 'X',
  'subscription.cancelled': 'C',
  'subscription.resumed': 'R',
};

/** How a story goes on from the round in which it stops being that of everybody else. */
interface Turn {
  /** Of that round itself. */
  readonly story: string;
  readonly pays: 'yes' | 'no' | 'maybe';
  readonly state: Expectation['state'];
  /** Letters of coming back, before the first payment after that. */
  readonly back?: string;
}

const TURNS: Readonly<Record<PartName, Turn>> = {
  pays: { story: 'P', pays: 'yes', state: 'active' },
  'dry, filled after the first try': { story: 'F{1,2}P', pays: 'yes', state: 'active' },
  'dry, filled after the second try': { story: 'F{1,2}P', pays: 'yes', state: 'active' },
  'dry for good': { story: 'FFFX', pays: 'no', state: 'expired' },
  'expires and comes back': { story: 'FFFX', pays: 'no', state: 'expired', back: 'N' },
  cancels: { story: 'C', pays: 'no', state: 'cancelled' },
  // Both may be seen at once: nobody could have acted on what was between.
  'cancels and resumes': { story: 'P(CR)?', pays: 'yes', state: 'active' },
  'cancels and subscribes anew': { story: 'C', pays: 'no', state: 'cancelled', back: 'N' },
  // Nobody is blamed for an approval while the mirror is in doubt.
  'approval revoked and repaired': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  'approval revoked for good': { story: 'FFFX', pays: 'no', state: 'expired' },
  // Until its transaction is heard of a closed authority looks like a lost approval.
  'closes the authority': { story: 'F?C', pays: 'no', state: 'cancelled' },
  'cancelled by the merchant': { story: 'C', pays: 'no', state: 'cancelled' },
  'cancels while it is collected': { story: '(PC|CP|C)', pays: 'maybe', state: 'cancelled' },
  'runs dry while it is collected': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
  // Whoever comes first: it is one charge.
  'the merchant collects too': { story: 'P', pays: 'yes', state: 'active' },
  'one wallet, two subscriptions, money for one': { story: 'F{0,2}P', pays: 'yes', state: 'active' },
};

export const PART_NAMES = Object.keys(TURNS) as PartName[];

/** Whether somebody with this part is over for a while, and then back. */
export function comesBack({ name }: Pick<Part, 'name'>): boolean {
  return TURNS[name].back !== undefined;
}

/**
 * What must come of a part in `rounds` rounds, of which each `every`-th has a payment. `created`: whether the customer came
 * through a checkout, which is told. A part whose round was not played is somebody's who has only paid.
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
