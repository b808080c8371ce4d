import {
  type ConversionDay,
  checkoutConversion,
} from '../../../domain/insight/metrics/checkout-conversion.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

const ConversionDayRef = builder.objectRef<ConversionDay>('CheckoutConversionDay').implement({
  description: 'Checkout sessions that were created on one UTC day, counted by their outcome so far.',
  fields: (t) => ({
    day: t.exposeString('day', { description: 'The day in UTC: `2026-12-01`.' }),
    created: t.exposeInt('created', { description: 'Checkout sessions that were created on this day.' }),
    completed: t.exposeInt('completed', {
      description: 'Checkout sessions of this day that have been completed so far, on this day or later.',
    }),
    expired: t.exposeInt('expired', {
      description: 'Checkout sessions of this day that expired. The others are still open.',
    }),
  }),
});

builder.queryFields((t) => ({
  checkoutConversion: t.field({
    type: [ConversionDayRef],
    args: {
      from: t.arg.string({ required: true, description: 'First day, in UTC: `2026-12-01`.' }),
      to: t.arg.string({
        required: true,
        description: 'Last day, not later than today; the range has at most 92 days.',
      }),
    },
    description:
      'Number of checkout sessions that were created, completed and expired, by day of creation. Errors: `authentication_error`; `invalid_request`, param `from` or `to`.',
    resolve: (_root, range, context) => checkoutConversion(context.app, scopeOf(context), range),
  }),
}));
