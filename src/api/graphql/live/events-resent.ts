import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Event } from '../types/event.ts';
import { LiveStream } from './live-stream.ts';

builder.subscriptionFields((t) => ({
  eventsResent: t.prismaField({
    type: Event,
    description:
      'An event each time `resendWebhook` or `resendEvent` sends it again. Only connected clients receive it. Errors: `authentication_error`; `live_interrupted` if some may have been missed: subscribe again.',
    subscribe: async (_root, _args, context) => {
      const source = context.app.live.subscribe('event.resent', scopeOf(context));
      await source.ready;
      return new LiveStream(context, source, async ({ eventId }) => eventId);
    },
    resolve: (query, eventId: string, _args, context) =>
      context.app.db.event.findFirstOrThrow({ ...query, where: { ...scopeOf(context), id: eventId } }),
  }),
}));
