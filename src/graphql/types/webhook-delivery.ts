import { webhookBody } from '../../domain/event/webhook-body.ts';
import { MAX_TOTAL } from '../../domain/merchant/page.ts';
import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { deliveriesWhere } from '../../domain/webhook/delivery/deliveries-where.ts';
import { findDelivery } from '../../domain/webhook/delivery/find-delivery.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { given } from '../given.ts';
import { seek } from '../seek.ts';

export const DeliveryStatus = builder.enumType('DeliveryStatus', {
  description: 'What became of a delivery.',
  values: {
    PENDING: { description: 'Not through yet: it is tried at `nextAttemptAt`, or waits for an earlier one.' },
    SUCCEEDED: { description: 'The receiver answered 2xx.' },
    FAILED: { description: 'Given up after ten tries.' },
    CANCELLED: { description: 'The endpoint no longer wants such events, or was removed.' },
  } as const,
});

export const WebhookAttempt = builder.prismaObject('DeliveryAttempt', {
  name: 'WebhookAttempt',
  description: 'One HTTP try.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: '1, 2, 3 ... of its delivery.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it was begun.' }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description:
        'How long it took, in milliseconds; null while it is under way, and where it was interrupted.',
    }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description: 'HTTP status of the answer; null where none came.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it failed, in words; null where it succeeded or is under way.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description: 'The first 4 kB of the answer, as text; null where none came.',
    }),
  }),
});

export const WebhookDelivery = builder.prismaObject('Delivery', {
  name: 'WebhookDelivery',
  description: 'One event to one endpoint. Kept for 90 days.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    status: t.expose('status', { type: DeliveryStatus, description: 'What became of it.' }),
    attemptCount: t.exposeInt('attemptCount', { description: 'Tries that were begun.' }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it is tried next; null once it is over, while an earlier event of its subscription is not through, or while its endpoint is off.',
    }),
    isReplay: t.exposeBoolean('replayed', { description: 'Whether it was sent again on request.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    endpoint: t.relation('endpoint', { description: 'Where it goes.' }),
    event: t.relation('event', { description: 'What it tells of.' }),
    body: t.field({
      type: 'JSON',
      select: { event: true },
      description: 'What is posted, on every try the same.',
      resolve: ({ event }) => webhookBody(event),
    }),
    attempts: t.relation('attempts', {
      query: { orderBy: { number: 'asc' } },
      description: 'Every try, first to last.',
    }),
  }),
});

builder.queryFields((t) => ({
  webhookDelivery: t.prismaField({
    type: WebhookDelivery,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    description: 'A delivery. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) =>
      findDelivery(context.app.db, scopeOf(context), id, 'id', query),
  }),
  webhookDeliveries: t.prismaConnection(
    {
      type: WebhookDelivery,
      cursor: 'id',
      args: {
        endpointId: t.arg.id({ description: 'Only those to this endpoint.' }),
        eventId: t.arg.id({ description: 'Only those of this event.' }),
        eventType: t.arg.string({ description: 'Only those of events of this type.' }),
        subscriptionId: t.arg.id({
          description: 'Only those about the subscription at this address, all its lives, or one `lifeId`.',
        }),
        status: t.arg({ type: DeliveryStatus, description: 'Only those in this status.' }),
        from: t.arg({ type: 'DateTime', description: 'Made at this moment or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Made before this moment.' }),
      },
      description:
        'Deliveries, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `endpointId`, `eventId`, `eventType`, `subscriptionId` or `to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.delivery.count({
          where: await deliveriesWhere(db, scopeOf(context), given(args)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const { db } = context.app;
        const scope = scopeOf(context);
        const where = await deliveriesWhere(db, scope, given(args));
        const { page, condition } = await seek(query, (id) =>
          db.delivery.findFirst({ where: { ...scope, id }, select: PLACE }),
        );
        return db.delivery.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'One of deliveries.' },
  ),
}));
