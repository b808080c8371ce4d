import { eventsWhere } from '../../domain/event/list-events.ts';
import { MAX_TOTAL } from '../../domain/merchant/page.ts';
import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { given } from '../given.ts';
import { seek } from '../seek.ts';
import { addEventFields } from './event-fields.ts';

export const Event = builder.prismaObject('Event', {
  description: "A fact that happened, as a webhook's body tells it.",
  fields: (t) => ({
    subscription: t.relation('subscription', {
      nullable: true,
      description: 'What it is about; null for an event about no subscription.',
    }),
  }),
});

addEventFields(Event);

builder.queryFields((t) => ({
  events: t.prismaConnection(
    {
      type: Event,
      cursor: 'id',
      args: {
        type: t.arg.string({ description: 'Only events of this type.' }),
        subscriptionId: t.arg.id({
          description: 'Only those of the subscription at this address, all its lives, or of one `lifeId`.',
        }),
        from: t.arg({ type: 'DateTime', description: 'Happened at this moment or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Happened before this moment.' }),
      },
      description:
        'Events that were recorded, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `type`, `subscriptionId` or `to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.event.count({
          where: await eventsWhere(db, scopeOf(context), given(args)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await eventsWhere(db, scope, given(args));
        const { page, condition } = await seek(query, (id) =>
          db.event.findFirst({ where: { ...scope, id }, select: PLACE }),
        );
        return db.event.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'EventConnection', description: 'A page of events.' },
    { name: 'EventEdge', description: 'One of events.' },
  ),
}));
