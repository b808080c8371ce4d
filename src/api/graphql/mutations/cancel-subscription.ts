import {
  type CancelledSubscription,
  cancelWithTransaction,
} from '../../../domain/billing/lifecycle/cancel-subscription.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

const CancelWhen = builder.enumType('CancelWhen', {
  description: 'When collection stops.',
  values: {
    NOW: {
      description:
        'Collection stops at once. The subscription becomes CANCELLED, and `accessUntil` is the end of the paid time.',
    },
    PERIOD_END: {
      description:
        'Collection stops at the due date of the next payment. The subscription is active until then. One that is PAST_DUE has not paid its period, and is cancelled at once.',
    },
  } as const,
});

const CancelledSubscriptionRef = builder.objectRef<CancelledSubscription>('CancelledSubscription').implement({
  description: 'The result of a cancellation by the merchant.',
  requires: null,
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: BillingSubscription,
      description: 'The subscription after the change.',
    }),
    transaction: t.exposeString('transaction', {
      requires: 'READ',
      nullable: true,
      description:
        "Unsigned transaction in base64 that cancels the subscription on chain. Only the customer's wallet can sign it. Null if there is nothing to cancel or the cluster does not respond.",
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
      'Cancels a subscription for the merchant: dues collects nothing more, either at once or from the end of the period. A repeated call changes nothing. Errors: `authentication_error`; `not_found`, param `subscription`.',
    resolve: (_root, input, context) => cancelWithTransaction(context.app, actingScopeOf(context), input),
  }),
}));
