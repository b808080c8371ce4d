import {
  type CancelledSubscription,
  cancelSubscription,
} from '../../domain/subscription/cancel-subscription.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { BillingSubscription } from '../types/subscription.ts';

const CancelWhen = builder.enumType('CancelWhen', {
  description: 'When collection stops.',
  values: {
    NOW: { description: 'At once; `accessUntil` says until when the customer has paid.' },
    PERIOD_END: { description: 'When the next payment would be due; active until then.' },
  } as const,
});

const CancelledSubscriptionRef = builder.objectRef<CancelledSubscription>('CancelledSubscription').implement({
  description: 'A subscription that is not, or soon no longer, collected.',
  fields: (t) => ({
    subscription: t.expose('subscription', { type: BillingSubscription, description: 'As it is now.' }),
    transaction: t.exposeString('transaction', {
      nullable: true,
      description:
        "Unsigned transaction in base64 that takes the approval back on chain, which only the customer's wallet can; null where there is nothing to take back, or the cluster does not answer.",
    }),
  }),
});

builder.mutationFields((t) => ({
  cancelSubscription: t.field({
    type: CancelledSubscriptionRef,
    args: {
      subscription: t.arg.id({
        required: true,
        description: 'Address of the subscription account, or a `lifeId`.',
      }),
      when: t.arg({ type: CancelWhen, required: true, description: 'When collection stops.' }),
    },
    description:
      'The merchant stops collection. Asking again changes nothing. Errors: `authentication_error`; `not_found`, param `subscription`.',
    resolve: (_root, input, context) => cancelSubscription(context.app, actingScopeOf(context), input),
  }),
}));
