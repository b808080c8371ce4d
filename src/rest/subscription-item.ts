import { z } from '@hono/zod-openapi';
import type { ListedSubscription } from '../domain/subscription/read-subscriptions.ts';
import { whatComesNext } from '../domain/subscription/what-comes-next.ts';
import { EXAMPLE } from './examples.ts';
import { planTerms, toPlanTerms } from './plan-terms.ts';
import { moment } from './responses.ts';

/** The states that merchants were promised. */
const STATES = {
  ACTIVE: 'active',
  PAST_DUE: 'past_due',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const;

/** A subscription in a list; words and shapes as in the webhooks. */
export const subscriptionItem = z
  .object({
    subscriptionId: z.string().openapi({ description: 'Address of the subscription account' }),
    state: z.enum(STATES),
    customer: z.object({
      email: z.string(),
      customerId: z.string().nullable(),
      walletAddress: z.string(),
    }),
    plan: planTerms,
    metadata: z.record(z.string(), z.unknown()),
    paymentNumber: z.int().openapi({ description: 'Successful payments so far' }),
    failureCount: z.int().openapi({ description: 'Consecutive failures of the payment that is due' }),
    nextPaymentDate: moment.nullable().openapi({ description: 'Null once nothing will be collected' }),
    accessUntil: moment.nullable().openapi({ description: 'Until when one that ends is paid for' }),
    cancelAtPeriodEnd: z
      .boolean()
      .openapi({ description: 'Whether the merchant stops collection when the running period ends' }),
    startedAt: moment,
    createdAt: moment,
  })
  .openapi('Subscription', { example: EXAMPLE.subscription });

export function toSubscriptionItem(subscription: ListedSubscription): z.infer<typeof subscriptionItem> {
  const { customer, plan, status } = subscription;
  const next = whatComesNext(subscription);
  return {
    subscriptionId: subscription.address,
    state: STATES[status],
    customer: {
      email: customer.email,
      customerId: customer.customerId,
      walletAddress: subscription.walletAddress,
    },
    plan: toPlanTerms(plan),
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
