import { grantFreePeriods } from '../../../domain/billing/waive/grant-free-periods.ts';
import { waivePayment } from '../../../domain/billing/waive/waive-payment.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { BillingSubscription, subscriptionArgs } from '../types/subscription.ts';

const waiverArgs = builder.args((t) => ({
  reason: t.string({ description: 'Why, at most 500 characters. The webhook has it.' }),
  idempotencyKey: t.string({
    description:
      'A text of your choice that identifies this call, 1 to 255 characters. A repeated call with the same text changes nothing.',
  }),
}));

builder.mutationFields((t) => ({
  waivePayment: t.field({
    type: BillingSubscription,
    args: {
      paymentId: t.arg.id({ description: 'Our id of a payment that is due.' }),
      subscription: t.arg.id({
        description:
          'Instead of `paymentId`: address of the subscription account, or a `lifeId`. Its open payment is waived or, if none is open, its next one.',
      }),
      ...waiverArgs,
    },
    description:
      'Waives one payment: it is never collected, and the customer keeps access. A subscription that was past due is active again. Errors: `authentication_error`; `not_found`, param `paymentId` or `subscription`; `invalid_request`, param `reason`, `idempotencyKey`, `paymentId` if the payment is not open or is being collected, or `subscription` if it has ended, is cancelled at the end of its period, or is paused until it is resumed.',
    resolve: (_root, input, context) => waivePayment(context.app, actingScopeOf(context), input),
  }),
  grantFreePeriods: t.field({
    type: BillingSubscription,
    args: {
      ...subscriptionArgs,
      count: t.arg.int({ required: true, description: 'How many periods, from 1 to 12.' }),
      ...waiverArgs,
    },
    description:
      'Gives the next periods for free: the customer keeps access. Errors: `authentication_error`; `not_found`, param `subscription`; `invalid_request`, param `count`, `reason` or `idempotencyKey`, or `subscription` if it has ended, is cancelled at the end of its period, or is paused until it is resumed.',
    resolve: (_root, input, context) => grantFreePeriods(context.app, actingScopeOf(context), input),
  }),
}));
