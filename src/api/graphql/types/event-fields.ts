import type { ObjectRef } from '@pothos/core';
import { builder } from '../builder.ts';

/** The fields that every GraphQL type for an event has. */
interface EventWithData {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly sequence: number | null;
  readonly data: unknown;
}

/** Adds the fields of a webhook's body to a type. */
export function addEventFields(type: ObjectRef<typeof builder.$inferSchemaTypes, EventWithData>): void {
  builder.objectFields(type, (t) => ({
    id: t.exposeID('id', { requires: null, description: "A UUID, the same as `id` in the webhook's body." }),
    type: t.exposeString('type', {
      requires: null,
      description: 'Event type, for example `subscription.created`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the event happened.' }),
    sequence: t.exposeInt('sequence', {
      nullable: true,
      description:
        'Number of the event among the events of its subscription, without gaps, except for a jump at `service.restored`; null for an event without a subscription. A wallet that subscribes again has the same `subscriptionId`, a later `startedAt` in `data`, and numbers that begin with 1 again.',
    }),
    data: t.expose('data', { type: 'JSON', description: "The `data` of the webhook's body." }),
  }));
}
