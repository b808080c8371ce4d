import { type EventTypeInfo, eventTypeInfos } from '../../../domain/messages/webhook/event-types.ts';
import { builder } from '../builder.ts';

const EventTypeRef = builder.objectRef<EventTypeInfo>('EventType').implement({
  description: 'A type of event that a webhook endpoint can receive.',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'Name of the type, for example `subscription.created`.' }),
    description: t.exposeString('description', { description: 'What an event of this type reports.' }),
    sample: t.expose('sample', { type: 'JSON', description: 'A sample of `data` in an event of this type.' }),
  }),
});

builder.queryFields((t) => ({
  eventTypes: t.field({
    type: [EventTypeRef],
    description: 'All event types, with a sample of each. Errors: `authentication_error`.',
    resolve: () => eventTypeInfos,
  }),
}));
