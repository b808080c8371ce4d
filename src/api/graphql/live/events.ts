import { eventCursor } from '../../../domain/event/event-cursor.ts';
import { knownEventTypes } from '../../../domain/event/known-event-types.ts';
import { placeToResume, type StreamedEvent, streamBounds } from '../../../domain/event/read-events.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { addEventFields } from '../types/event-fields.ts';
import { EventStream } from './event-stream.ts';

/** It has no field that would need a query for each subscriber. */
const LiveEvent = builder.objectRef<StreamedEvent>('LiveEvent').implement({
  description: "An event, with the fields of a webhook's body, and its position in the stream.",
  fields: (t) => ({
    cursor: t.string({
      description: 'Position in the stream: `events` with it as `after` continues with the next event.',
      resolve: ({ position }, _args, context) => eventCursor(scopeOf(context), position),
    }),
  }),
});

addEventFields(LiveEvent);

builder.subscriptionFields((t) => ({
  events: t.field({
    type: LiveEvent,
    args: {
      after: t.arg.string({
        description: 'Cursor of the last received event; without it the stream begins with the next event.',
      }),
      types: t.arg.stringList({ description: 'Only events of these types; none or empty means all.' }),
    },
    description:
      'Every event, once and in an order that is the same for all clients; the events of one subscription are in `sequence` order. A client that reconnects with the last cursor misses no event and receives none twice. Errors: `authentication_error`; `invalid_request`, param `after` or `types`; `live_interrupted` if the client reads too slowly: resume after the last cursor.',
    subscribe: async (_root, { after, types }, context) => {
      const wanted = types?.length ? knownEventTypes('types', types) : undefined;
      const place = await placeToResume(context.app.db, scopeOf(context), 'after', after);
      return new EventStream(context, place, wanted);
    },
    resolve: (event: StreamedEvent) => event,
  }),
}));

builder.queryFields((t) => ({
  eventsCursor: t.string({
    description:
      'Cursor of the last event so far. Query it before you query other data: `events` after this cursor has everything that happens later. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const scope = scopeOf(context);
      return eventCursor(scope, (await streamBounds(context.app.db, scope)).last);
    },
  }),
}));
