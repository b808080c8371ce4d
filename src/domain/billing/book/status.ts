import type { SubscriptionStatus } from '../../../generated/prisma/client.ts';

/** Statuses in which payments are collected. */
export const COLLECTING: readonly SubscriptionStatus[] = ['ACTIVE', 'PAST_DUE'];

/**
 * Whether the payment of a subscription has failed for the last time, and waits for a top-up. The end of its
 * access is `accessUntil`.
 */
export function isUnpaid<
  S extends { readonly status: SubscriptionStatus; readonly accessUntil: Date | null },
>(subscription: S): subscription is S & { readonly accessUntil: Date } {
  return subscription.status === 'PAST_DUE' && subscription.accessUntil !== null;
}

export interface StatusChange {
  readonly from: SubscriptionStatus | null;
  readonly to: SubscriptionStatus;
  readonly reason: TransitionReason;
}

export type TransitionReason =
  | 'subscribed'
  | 'payment_failed'
  | 'payment_recovered'
  | 'payment_waived'
  | 'too_many_failures'
  | 'cancelled_on_chain'
  | 'cancelled_by_merchant'
  | 'cancelled_by_customer'
  | 'delegation_closed'
  | 'authority_revoked'
  | 'plan_over'
  | 'resumed_on_chain'
  | 'reactivated';

/** All legal changes of status; `from` is `null` for a new subscription. */
export const STATUS_CHANGES: readonly StatusChange[] = [
  { from: null, to: 'ACTIVE', reason: 'subscribed' },
  { from: 'ACTIVE', to: 'PAST_DUE', reason: 'payment_failed' },
  { from: 'PAST_DUE', to: 'ACTIVE', reason: 'payment_recovered' },
  { from: 'PAST_DUE', to: 'ACTIVE', reason: 'payment_waived' },
  { from: 'ACTIVE', to: 'EXPIRED', reason: 'too_many_failures' }, // with a limit of one failure
  { from: 'PAST_DUE', to: 'EXPIRED', reason: 'too_many_failures' },
  ...(['ACTIVE', 'PAST_DUE'] as const).flatMap((from) =>
    (
      [
        'cancelled_on_chain',
        'cancelled_by_merchant',
        'cancelled_by_customer',
        'delegation_closed',
        'authority_revoked',
        'plan_over',
      ] as const
    ).map((reason) => ({ from, to: 'CANCELLED' as const, reason })),
  ),
  // The customer had cancelled on chain, and now the merchant cancels. From then on the customer
  // cannot resume without the merchant.
  { from: 'CANCELLED', to: 'CANCELLED', reason: 'cancelled_by_merchant' },
  { from: 'CANCELLED', to: 'ACTIVE', reason: 'resumed_on_chain' },
  // Through a new checkout: docs/decisions/0006-reactivation.md.
  { from: 'CANCELLED', to: 'ACTIVE', reason: 'reactivated' },
  { from: 'EXPIRED', to: 'ACTIVE', reason: 'reactivated' },
];

/**
 * Whether the last transition was the customer's cancellation on chain, which the customer can take
 * back there.
 */
export function isCancelledOnChain(lastReason: string | null | undefined): boolean {
  return lastReason === 'cancelled_on_chain';
}

export function isLegal({ from, to, reason }: StatusChange): boolean {
  return STATUS_CHANGES.some((edge) => edge.from === from && edge.to === to && edge.reason === reason);
}
