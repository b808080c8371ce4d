import { isId } from '../../../domain/kernel/input/valid-text.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';
import { MAX_EVENTS } from '../../../domain/messages/event/events-of-payments.ts';
import { eventsWhere } from '../../../domain/messages/event/events-where.ts';
import { notFound } from '../../../errors.ts';
import { listFilter, withConditions } from '../arguments/list-filter.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { addEventFields } from './event-fields.ts';

export const Event = builder.prismaObject('Event', {
  description: "An event, with the fields of a webhook's body.",
  fields: (t) => ({
    subscription: t.relation('subscription', {
      nullable: true,
      description: 'The subscription of the event; null for an event without one.',
    }),
    deliveries: t.relation('deliveries', {
      query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      description: 'Deliveries of the event to webhook endpoints, oldest first. They are kept for 90 days.',
    }),
  }),
});

addEventFields(Event);

const EVENT_FILTER = listFilter('EventFilter', 'events', (t) => ({
  type: t.string({ description: 'Only events of this type.' }),
  subscriptionId: t.id({
    description:
      'Address of a subscription account, for the events of all subscriptions at this address; or a `lifeId`, for those of one subscription.',
  }),
  paymentId: t.id({
    description: `Only events about the payment with this id; of those the newest ${MAX_EVENTS}.`,
  }),
  from: t.field({ type: 'DateTime', description: 'Only events at this time or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only events before this time.' }),
}));

builder.queryFields((t) => ({
  event: t.prismaField({
    type: Event,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: "Id of the event: the `id` of a webhook's body." }) },
    description: 'One event. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: async (query, _root, { id }, context) => {
      const where = { ...scopeOf(context), id };
      const event = isId(id) ? await context.app.db.event.findFirst({ ...query, where }) : null;
      if (!event) throw notFound('event', 'id');
      return event;
    },
  }),
  events: t.prismaConnection(
    {
      type: Event,
      cursor: 'id',
      args: {
        filter: t.arg({ type: EVENT_FILTER.type, description: 'Filter; default all events.' }),
        ...EVENT_FILTER.olderArguments(t.arg),
      },
      description:
        'Events, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `type`, `subscriptionId`, `paymentId` or `to`, or the field of the filter, for example `filter.to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.event.count({
          where: await withConditions(args, (conditions) => eventsWhere(db, scopeOf(context), conditions)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await withConditions(args, (conditions) => eventsWhere(db, scope, conditions));
        const { page, condition } = await replaceCursor(query, (id) =>
          db.event.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        return db.event.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'EventConnection', description: 'A page of events.' },
    { name: 'EventEdge', description: 'One event of a page, with its cursor.' },
  ),
}));
