import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Event } from '../types/event.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  eventsResent: t.prismaField({
    type: Event,
    description:
      'Each event that `resendWebhook` or `resendEvent` sends again. Only clients that are connected at that time receive it. Errors: `authentication_error`; `live_interrupted` if the client may have missed an event: subscribe again.',
    subscribe: async (_root, _args, context) => {
      const source = context.app.live.subscribe('event.resent', scopeOf(context));
      await source.ready;
      return new LiveStream(context, source, async ({ eventId }) => eventId);
    },
    resolve: (query, eventId: string, _args, context) =>
      context.app.db.event.findFirstOrThrow({ ...query, where: { ...scopeOf(context), id: eventId } }),
  }),
}));
