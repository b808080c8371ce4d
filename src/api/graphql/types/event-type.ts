import { type EventTypeInfo, eventTypeInfos } from '../../../domain/webhook/event-types.ts';
import { builder } from '../builder.ts';

const EventTypeRef = builder.objectRef<EventTypeInfo>('EventType').implement({
  description: 'A type of events that an endpoint can receive.',
  fields: (t) => ({
    type: t.exposeString('type', { description: '`subscription.created`.' }),
    description: t.exposeString('description', { description: 'What happened.' }),
    sample: t.expose('sample', { type: 'JSON', description: 'A sample of its `data`.' }),
  }),
});

builder.queryFields((t) => ({
  eventTypes: t.field({
    type: [EventTypeRef],
    description: 'All event types, with a sample of each. Errors: `authentication_error`.',
    resolve: () => eventTypeInfos,
  }),
}));
