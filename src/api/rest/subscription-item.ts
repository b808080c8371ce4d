import { z } from '@hono/zod-openapi';
import { nextPaymentOf } from '../../domain/billing/read/next-payment.ts';
import { type ListedRows, listedRows } from '../../domain/billing/read/read-subscriptions.ts';
import { EXAMPLE } from './examples.ts';
import { planTerms, toPlanTerms } from './plan-body.ts';
import { isoTime } from './responses.ts';

/** Names of the statuses in the contract. */
const STATES = {
  ACTIVE: 'active',
  PAST_DUE: 'past_due',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const;

/** A subscription in a list, in the format of the webhooks. */
export const subscriptionItem = z
  .object({
    subscriptionId: z.string().openapi({ description: 'Address of the subscription account, in base58' }),
    state: z.enum(STATES),
    customer: z.object({
      email: z.string(),
      customerId: z.string().nullable(),
      walletAddress: z.string(),
    }),
    plan: planTerms,
    metadata: z.record(z.string(), z.unknown()),
    paymentNumber: z.int().openapi({ description: 'Number of successful payments' }),
    failureCount: z
      .int()
      .openapi({ description: 'Number of consecutive failed attempts of the payment that is due' }),
    nextPaymentDate: isoTime.nullable().openapi({
      description: 'Due date of the next or overdue payment; null if no more payments will be collected',
    }),
    accessUntil: isoTime.nullable().openapi({
      description:
        'When the paid time ends, if the subscription is cancelled or will be at the end of the period; otherwise null',
    }),
    cancelAtPeriodEnd: z.boolean().openapi({
      description:
        'Whether collection stops at the end of the current period, by request of the merchant or of the customer in the portal',
    }),
    startedAt: isoTime,
    createdAt: isoTime,
  })
  .openapi('Subscription', { example: EXAMPLE.subscription });

/** The rows that `toSubscriptionItem` takes. */
export const ITEM_ROWS = listedRows({
  subscription: [
    'address',
    'status',
    'walletAddress',
    'metadata',
    'nextAmount',
    'paymentCount',
    'failureCount',
    'nextPaymentAt',
    'accessUntil',
    'waivedFrom',
    'waivedUntil',
    'cancelAtPeriodEnd',
    'startedAt',
    'createdAt',
  ],
  customer: ['email', 'customerId'],
  plan: ['planId', 'name', 'description', 'intervalSeconds', 'trialPeriodSeconds', 'mint', 'endsAt'],
});

type Item = typeof ITEM_ROWS extends ListedRows<infer Row> ? Row : never;

export function toSubscriptionItem(subscription: Item): z.infer<typeof subscriptionItem> {
  const { customer, plan, status } = subscription;
  const next = nextPaymentOf(subscription);
  return {
    subscriptionId: subscription.address,
    state: STATES[status],
    customer: {
      email: customer.email,
      customerId: customer.customerId,
      walletAddress: subscription.walletAddress,
    },
    plan: toPlanTerms({ ...plan, amount: subscription.nextAmount }),
    metadata: subscription.metadata as Record<string, unknown>,
    paymentNumber: subscription.paymentCount,
    failureCount: subscription.failureCount,
    nextPaymentDate: next.nextPaymentAt?.toISOString() ?? null,
    accessUntil: next.accessUntil?.toISOString() ?? null,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    startedAt: subscription.startedAt.toISOString(),
    createdAt: subscription.createdAt.toISOString(),
  };
}
