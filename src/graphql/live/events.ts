import { eventCursor } from '../../domain/event/event-cursor.ts';
import { knownEventTypes } from '../../domain/event/known-event-types.ts';
import { placeToResume, type StreamedEvent, streamBounds } from '../../domain/event/read-events.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { EventStream } from './event-stream.ts';
import { LiveEvent } from './live-event.ts';

builder.subscriptionFields((t) => ({
  events: t.field({
    type: LiveEvent,
    args: {
      after: t.arg.string({
        description: 'The cursor of the last event that was received; without one the stream begins now.',
      }),
      types: t.arg.stringList({ description: 'Only events of these types; none or empty means all.' }),
    },
    description:
      'Every event, once and in an order that is the same for everyone; the events about one subscription by their `sequence`. Connect again with the last cursor, and nothing is missed or told twice. Errors: `authentication_error`; `invalid_request`, param `after` or `types`; `live_interrupted` where it is read too slowly: resume after the last cursor.',
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
      'Where the stream of `events` ends now. Read it before you read the state of things: what happens from then on follows after it. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const scope = scopeOf(context);
      return eventCursor(scope, (await streamBounds(context.app.db, scope)).last);
    },
  }),
}));
