import { eventCursor } from '../../domain/event/event-cursor.ts';
import type { StreamedEvent } from '../../domain/event/read-events.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

/** Holds nothing that would have to be read for every listener. */
export const LiveEvent = builder.objectRef<StreamedEvent>('LiveEvent').implement({
  description: "A fact that happened, as a webhook's body tells it, and its place in the stream.",
  fields: (t) => ({
    cursor: t.string({
      description: 'Its place in the stream: given as `after`, the stream goes on with what follows.',
      resolve: ({ position }, _args, context) => eventCursor(scopeOf(context), position),
    }),
    id: t.exposeID('id', { description: "A UUID; the `id` of the webhook's body." }),
    type: t.exposeString('type', { description: '`subscription.created` for example.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    sequence: t.exposeInt('sequence', {
      nullable: true,
      description: '+1 per subscription; null for an event about none.',
    }),
    data: t.expose('data', { type: 'JSON', description: "The `data` of the webhook's body." }),
  }),
});
