import { resendEvent } from '../../../domain/messages/event/resend-event.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Event } from '../types/event.ts';

builder.mutationFields((t) => ({
  resendEvent: t.field({
    type: Event,
    requires: ['READ', 'WRITE'],
    args: { eventId: t.arg.id({ required: true, description: 'Id of the event.' }) },
    description:
      'Sends an event again to the clients that are connected to `eventsResent`, for example `dues listen`. To send it to an endpoint again, use `resendWebhook`. Errors: `authentication_error`; `not_found`, param `eventId`.',
    resolve: (_root, { eventId }, context) => resendEvent(context.app, scopeOf(context), eventId),
  }),
}));
