import { builder } from '../builder.ts';
import { findCheckoutSession } from '../loaders/find-checkout-session.ts';
import { CheckoutSession } from '../types/checkout-session.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  checkoutSessionUpdated: t.prismaField({
    type: CheckoutSession,
    requires: null,
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    description:
      'The checkout session as it is now, then after every change. Needs no key: the id gives access. Errors: `not_found`, param `id`; `live_interrupted` if the client may have missed a change: query and subscribe again.',
    subscribe: async (_root, { id }, context) => {
      await findCheckoutSession(context, id);
      const source = context.app.live.subscribe('checkout-session.updated', { sessionId: id });
      await source.ready;
      return new LiveStream(context, source, async ({ sessionId }) => sessionId, id);
    },
    resolve: (query, id: string, _args, context) => findCheckoutSession(context, id, query),
  }),
}));
