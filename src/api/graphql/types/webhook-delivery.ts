import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';
import { webhookBody } from '../../../domain/messages/event/webhook-body.ts';
import { deliveriesWhere } from '../../../domain/messages/webhook/delivery/deliveries-where.ts';
import { findDelivery } from '../../../domain/messages/webhook/delivery/find-delivery.ts';
import { isStillAccepted, requestHeaders } from '../../../domain/messages/webhook/post/signed-request.ts';
import { listFilter, withConditions } from '../arguments/list-filter.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { scopeOf, scopesOf } from '../context.ts';

export const DeliveryStatus = builder.enumType('DeliveryStatus', {
  description: 'Status of a delivery.',
  values: {
    PENDING: {
      description:
        'Not delivered yet: the next attempt is at `nextAttemptAt`, or it waits for an earlier delivery.',
    },
    SUCCEEDED: { description: 'The endpoint responded with a status of 200 to 299.' },
    FAILED: { description: 'All ten attempts failed.' },
    CANCELLED: {
      description: 'Not sent, because the endpoint was deleted or no longer receives the event type.',
    },
  } as const,
});

const WebhookHeader = builder
  .objectRef<{ readonly name: string; readonly value: string }>('WebhookHeader')
  .implement({
    description: 'One header of a webhook request.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Name of the header, in lower case.' }),
      value: t.exposeString('value', { description: 'Value of the header.' }),
    }),
  });

builder.prismaObject('DeliveryAttempt', {
  name: 'WebhookAttempt',
  description: 'One HTTP request of a delivery.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the attempt within the delivery, from 1.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the attempt began.' }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'Duration in milliseconds; null while it is running, and if it was interrupted.',
    }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description: 'HTTP status of the response; null if there was none.',
    }),
    requestHeaders: t.field({
      type: [WebhookHeader],
      nullable: true,
      select: { signature: true, standardSignature: true, delivery: { select: { eventId: true } } },
      description:
        'Headers of the request as sent, with both signatures but without those of the connection, such as `content-length`. Null until the attempt has ended, if it was interrupted or not sent, and for attempts of versions before 0.2.0. Also null for the five minutes in which servers accept the signatures, if the caller has no WRITE scope: with them it could send the webhook again.',
      resolve: ({ signature, standardSignature, delivery }, _args, context) => {
        if (signature === null || standardSignature === null) return null;
        const mayResend = scopesOf(context).includes('WRITE');
        if (!mayResend && isStillAccepted({ signature })) return null;
        const headers = requestHeaders(delivery.eventId, { signature, standardSignature });
        return Object.entries(headers).map(([name, value]) => ({ name, value }));
      },
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the attempt failed, as text; null if it succeeded or is running.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description: 'The first 4 kB of the response as text; null if there was none.',
    }),
  }),
});

export const WebhookDelivery = builder.prismaObject('Delivery', {
  name: 'WebhookDelivery',
  description: 'The delivery of one event to one endpoint. Kept for 90 days.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID.' }),
    status: t.expose('status', {
      requires: null,
      type: DeliveryStatus,
      description: 'Status of the delivery.',
    }),
    attemptCount: t.exposeInt('attemptCount', {
      description: 'Number of attempts so far, including one that is running.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When dues makes the next attempt; null if the delivery has ended, waits for an earlier event of its subscription, or its endpoint is disabled.',
    }),
    lastStatusCode: t.exposeInt('lastStatusCode', {
      nullable: true,
      description: 'HTTP status of the last response; null if there was none.',
    }),
    isReplay: t.exposeBoolean('replayed', {
      description:
        'Whether `replayWebhooks` created or restarted the delivery, or `resendWebhook` restarted it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the delivery was created.' }),
    endpoint: t.relation('endpoint', { description: 'The endpoint that receives the event.' }),
    event: t.relation('event', { description: 'The event.' }),
    body: t.field({
      type: 'JSON',
      select: { event: true },
      description: 'Body of the request, the same in every attempt.',
      resolve: ({ event }) => webhookBody(event),
    }),
    attempts: t.relation('attempts', {
      query: { orderBy: { number: 'asc' } },
      description: 'All attempts, oldest first.',
    }),
  }),
});

const DELIVERY_FILTER = listFilter('WebhookDeliveryFilter', 'deliveries', (t) => ({
  endpointId: t.id({ description: 'Only deliveries to this endpoint.' }),
  eventId: t.id({ description: 'Only deliveries of this event.' }),
  eventType: t.string({ description: 'Only deliveries of events of this type.' }),
  subscriptionId: t.id({
    description:
      'Address of a subscription account, for deliveries about all subscriptions at this address; or a `lifeId`, for those about one subscription.',
  }),
  status: t.field({ type: DeliveryStatus, description: 'Only deliveries in this status.' }),
  statusCode: t.int({
    description: 'Only deliveries whose last response had this HTTP status.',
  }),
  from: t.field({ type: 'DateTime', description: 'Only deliveries created at this time or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only deliveries created before this time.' }),
}));

builder.queryFields((t) => ({
  webhookDelivery: t.prismaField({
    type: WebhookDelivery,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the delivery.' }) },
    description: 'One delivery. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) =>
      findDelivery(context.app.db, scopeOf(context), id, 'id', query),
  }),
  webhookDeliveries: t.prismaConnection(
    {
      type: WebhookDelivery,
      cursor: 'id',
      args: {
        filter: t.arg({ type: DELIVERY_FILTER.type, description: 'Filter; default all deliveries.' }),
        ...DELIVERY_FILTER.olderArguments(t.arg),
      },
      description:
        'Deliveries, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `endpointId`, `eventId`, `eventType`, `subscriptionId`, `statusCode` or `to`, or the field of the filter, for example `filter.to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.delivery.count({
          where: await withConditions(args, (conditions) =>
            deliveriesWhere(db, scopeOf(context), conditions),
          ),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const { db } = context.app;
        const scope = scopeOf(context);
        const where = await withConditions(args, (conditions) => deliveriesWhere(db, scope, conditions));
        const { page, condition } = await replaceCursor(query, (id) =>
          db.delivery.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        return db.delivery.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'WebhookDeliveryConnection', description: 'A page of deliveries.' },
    { name: 'WebhookDeliveryEdge', description: 'One delivery of a page, with its cursor.' },
  ),
}));
