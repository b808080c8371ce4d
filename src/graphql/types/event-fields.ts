import type { ObjectRef } from '@pothos/core';
import { builder } from '../builder.ts';

/** What is told of a fact that happened, wherever it is told. */
interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly sequence: number | null;
  readonly data: unknown;
}

/** Gives a type the fields that a webhook's body has of an event. */
export function addEventFields(type: ObjectRef<typeof builder.$inferSchemaTypes, ToldEvent>): void {
  builder.objectFields(type, (t) => ({
    id: t.exposeID('id', { description: "A UUID; the `id` of the webhook's body." }),
    type: t.exposeString('type', { description: '`subscription.created` for example.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    sequence: t.exposeInt('sequence', {
      nullable: true,
      description: '+1 per subscription; null for an event about none.',
    }),
    data: t.expose('data', { type: 'JSON', description: "The `data` of the webhook's body." }),
  }));
}
