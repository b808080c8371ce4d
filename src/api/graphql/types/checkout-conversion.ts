import { type ConversionDay, checkoutConversion } from '../../../domain/checkout/checkout-conversion.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

const ConversionDayRef = builder.objectRef<ConversionDay>('CheckoutConversionDay').implement({
  description: 'The checkout sessions that were created on one UTC day, and what became of them until now.',
  fields: (t) => ({
    day: t.exposeString('day', { description: '`2026-12-01`.' }),
    created: t.exposeInt('created', { description: 'Sessions created on this day.' }),
    completed: t.exposeInt('completed', { description: 'Those that were completed, on whichever day.' }),
    expired: t.exposeInt('expired', { description: 'Those that expired. The others are still open.' }),
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
      'How many checkouts are completed, by the day of their creation. Errors: `authentication_error`; `invalid_request`, param `from` or `to`.',
    resolve: (_root, range, context) => checkoutConversion(context.app, scopeOf(context), range),
  }),
}));
