import { eventCursor } from '../../domain/event/event-cursor.ts';
import type { StreamedEvent } from '../../domain/event/read-events.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { addEventFields } from '../types/event-fields.ts';

/** Holds nothing that would have to be read for every listener. */
export const LiveEvent = builder.objectRef<StreamedEvent>('LiveEvent').implement({
  description: "A fact that happened, as a webhook's body tells it, and its place in the stream.",
  fields: (t) => ({
    cursor: t.string({
      description: 'Its place in the stream: given as `after`, the stream goes on with what follows.',
      resolve: ({ position }, _args, context) => eventCursor(scopeOf(context), position),
    }),
  }),
});

addEventFields(LiveEvent);
