import { pauseSubscription } from '../../../domain/billing/waive/pause-subscription.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

const pauseArgs = builder.args((t) => ({
  keepsAccess: t.boolean({
    defaultValue: false,
    description: 'Whether the customer keeps access although nothing is charged.',
  }),
  reason: t.string({ description: 'Why, at most 500 characters. The webhook and the mail have it.' }),
}));

builder.mutationFields((t) => ({
  pauseSubscription: t.field({
    type: BillingSubscription,
    args: {
      ...subscriptionArgs,
      periods: t.arg.int({ description: 'How many payments are not charged, from 1 to 12.' }),
      until: t.arg({
        type: 'DateTime',
        description:
          'Instead of `periods`: payments that are due before this time are not charged, from 1 to 12.',
      }),
      ...pauseArgs,
    },
    description:
      'Pauses a subscription from its next due date: for whole periods or, without `periods` and `until`, until `unpauseSubscription`. Those payments are never collected later. A payment that is due already is collected first. Errors: `authentication_error`; `not_found`, param `subscription`; `invalid_request`, param `periods`, `until` or `reason`, or `subscription` if it has ended, is cancelled at the end of its period, or is paused already.',
    resolve: (_root, { keepsAccess, ...input }, context) =>
      pauseSubscription(context.app, actingScopeOf(context), { ...input, keepsAccess: keepsAccess ?? false }),
  }),
  skipNextPayment: t.field({
    type: BillingSubscription,
    args: { ...subscriptionArgs, ...pauseArgs },
    description:
      'Pauses a subscription for one period, from its next due date. Errors: those of `pauseSubscription`.',
    resolve: (_root, { subscription, keepsAccess, reason }, context) =>
      pauseSubscription(context.app, actingScopeOf(context), {
        subscription,
        periods: 1,
        keepsAccess: keepsAccess ?? false,
        reason,
      }),
  }),
}));
