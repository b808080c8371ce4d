import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { MAX_NUMBER } from '../../../chain/accounts/fields.ts';
import type { PaymentPeriod } from '../schedule/period.ts';

/** What is known of a period before a pull from it. */
export interface PullFacts {
  /** What is owed, in base units. */
  readonly amount: bigint;
  readonly period: Pick<PaymentPeriod, 'periodStart'>;
  /** What the payments of the chain's period have received by our books. */
  readonly booked: bigint;
  /** Whether the account may be older than the newest known slot. */
  readonly isOld: boolean;
}

export type Guarded =
  | { readonly kind: 'pull'; readonly amount: bigint }
  /** The chain has a transfer that the books do not have: it is searched. */
  | { readonly kind: 'search' }
  /** The account does not show what the books have, or may be too old to show it. */
  | { readonly kind: 'wait' }
  /** Nothing is left of the limit. */
  | { readonly kind: 'nothing_left' };

/**
 * The guard against a second pull for the same payment. The program bounds only the sum of a period,
 * so it would let a payment of at most half of the limit through twice. Therefore nothing is pulled
 * unless the account shows exactly what the books have. An account that may be old is trusted only
 * if the program would refuse a second pull.
 *
 * A payment that does not fit into what is left of the limit is pulled in part.
 */
export function guardPull(account: LimitedAccount, { amount, period, booked, isOld }: PullFacts): Guarded {
  if (account.periodStart > period.periodStart) return { kind: 'wait' };
  const pulled = pulledIn(account, period);
  if (pulled > booked) return { kind: 'search' };
  if (pulled < booked) return { kind: 'wait' };
  const left = leftOfLimit(account, period);
  if (left <= 0n) return { kind: 'nothing_left' };
  if (isOld && amount + amount <= left) return { kind: 'wait' };
  return { kind: 'pull', amount: amount < left ? amount : left };
}

/** What the program still lets through in a period, in base units. */
export function leftOfLimit(account: LimitedAccount, period: PullFacts['period']): bigint {
  return (account.amount ?? MAX_NUMBER) - pulledIn(account, period);
}

/** The account shows the last period from which something was pulled. */
function pulledIn({ periodStart, pulled }: LimitedAccount, period: PullFacts['period']): bigint {
  return periodStart === period.periodStart ? pulled : 0n;
}

type LimitedAccount = Pick<SubscriptionAccount, 'periodStart' | 'pulled' | 'amount'>;
