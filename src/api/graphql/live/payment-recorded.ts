import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Payment } from '../types/payment.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  paymentRecorded: t.prismaField({
    type: Payment,
    description:
      'A payment each time it is collected, fails or is finalized, and when one of its refunds is created or changes. Errors: `authentication_error`; `live_interrupted` if the client may have missed a change: query and subscribe again.',
    subscribe: async (_root, _args, context) => {
      const source = context.app.live.subscribe('payment.recorded', scopeOf(context));
      await source.ready;
      return new LiveStream(context, source, async ({ paymentId }) => paymentId);
    },
    resolve: (query, paymentId: string, _args, context) =>
      context.app.db.payment.findFirstOrThrow({ ...query, where: { ...scopeOf(context), id: paymentId } }),
  }),
}));
