import {
  type CancelledSubscription,
  cancelSubscription,
} from '../../../domain/billing/lifecycle/cancel-subscription.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

const CancelWhen = builder.enumType('CancelWhen', {
  description: 'When collection stops.',
  values: {
    NOW: { description: 'At once; `accessUntil` is the end of the paid time.' },
    PERIOD_END: {
      description: 'At the due date of the next payment; the subscription is active until then.',
    },
  } as const,
});

const CancelledSubscriptionRef = builder.objectRef<CancelledSubscription>('CancelledSubscription').implement({
  description: 'A subscription whose collection has stopped or will stop.',
  requires: null,
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: BillingSubscription,
      description: 'The subscription after the change.',
    }),
    transaction: t.exposeString('transaction', {
      nullable: true,
      description:
        "Unsigned base64 transaction that cancels the subscription on chain, which only the customer's wallet can do; null if there is nothing to cancel or the cluster does not respond.",
    }),
  }),
});

builder.mutationFields((t) => ({
  cancelSubscription: t.field({
    type: CancelledSubscriptionRef,
    args: {
      ...subscriptionArgs,
      when: t.arg({ type: CancelWhen, required: true, description: 'When collection stops.' }),
    },
    description:
      'Stops collection on behalf of the merchant. A repeated call changes nothing. Errors: `authentication_error`; `not_found`, param `subscription`.',
    resolve: (_root, input, context) => cancelSubscription(context.app, actingScopeOf(context), input),
  }),
}));
