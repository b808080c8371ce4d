import { eventCursor } from '../../../domain/messages/event/event-cursor.ts';
import { knownEventTypes } from '../../../domain/messages/event/known-event-types.ts';
import {
  positionToResume,
  type StreamedEvent,
  streamBounds,
} from '../../../domain/messages/event/read-events.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { addEventFields } from '../types/event-fields.ts';
import { EventStream } from './event-stream.ts';

/** An event without relations, because a relation would need a query for each subscriber. */
const LiveEvent = builder.objectRef<StreamedEvent>('LiveEvent').implement({
  description: "An event, with the fields of a webhook's body, and its position in the stream.",
  fields: (t) => ({
    cursor: t.string({
      description: 'Position in the stream. Give it as `after` of `events` to continue with the next event.',
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
        description:
          'Cursor of the last event that the client received. Without it the stream begins with the next new event.',
      }),
      types: t.arg.stringList({
        description: 'Only events of these types; default, or with an empty list, all types.',
      }),
    },
    description:
      'All events, each once, in the same order for all clients. The events of one subscription are in the order of `sequence`. A client that reconnects with the last cursor misses no event and receives none twice. Errors: `authentication_error`; `invalid_request`, param `after` or `types`; `live_interrupted` if the client reads too slowly: subscribe again after the last cursor.',
    subscribe: async (_root, { after, types }, context) => {
      const knownTypes = types?.length ? knownEventTypes('types', types) : undefined;
      const position = await positionToResume(context.app.db, scopeOf(context), 'after', after);
      const wanted = knownTypes && new Set<string>(knownTypes);
      return new EventStream(context, position, ({ type }) => wanted?.has(type) ?? true);
    },
    resolve: (event: StreamedEvent) => event,
  }),
}));

builder.queryFields((t) => ({
  eventsCursor: t.string({
    description:
      'Cursor of the last event so far. Query it before you query other data: `events` after this cursor then delivers every later event. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const scope = scopeOf(context);
      return eventCursor(scope, (await streamBounds(context.app.db, scope)).last);
    },
  }),
}));
