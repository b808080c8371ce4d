import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { type EndpointStats, endpointStats } from '../../../domain/messages/webhook/endpoint-stats.ts';
import { findEndpoint } from '../../../domain/messages/webhook/find-endpoint.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';

export const EndpointStatus = builder.enumType('EndpointStatus', {
  description: 'Status of an endpoint.',
  values: {
    ENABLED: { description: 'Receives webhooks.' },
    DISABLED: {
      description:
        'Receives nothing. Pending deliveries wait until it is enabled. New events create no deliveries: send them later with `replayWebhooks`.',
    },
    DELETED: { description: 'Deleted, but still visible in its deliveries.' },
  } as const,
});

export const EndpointDisabledReason = builder.enumType('EndpointDisabledReason', {
  description: 'Why an endpoint was disabled.',
  values: {
    MERCHANT: { description: 'The merchant disabled it.' },
    GONE: { description: 'The endpoint responded with status 410.' },
    FAILING: { description: 'All its deliveries failed for five days.' },
  } as const,
});

const EndpointStatsRef = builder.objectRef<EndpointStats>('WebhookEndpointStats').implement({
  description: 'Statistics of the deliveries of an endpoint.',
  fields: (t) => ({
    delivered: t.exposeInt('delivered', { description: 'Number of deliveries that succeeded.' }),
    failed: t.exposeInt('failed', { description: 'Number of deliveries whose last attempt failed.' }),
    pending: t.exposeInt('pending', {
      description: 'Number of deliveries that wait for their first attempt or for another.',
    }),
    p50Ms: t.exposeInt('p50Ms', {
      nullable: true,
      description: 'Median time to a response in milliseconds; null if there was none.',
    }),
    p95Ms: t.exposeInt('p95Ms', {
      nullable: true,
      description: '95th percentile of the times to a response in milliseconds; null if there was none.',
    }),
  }),
});

export const WebhookEndpointRef = builder.prismaObject('WebhookEndpoint', {
  description: 'A URL at which a merchant receives webhooks.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID.' }),
    url: t.exposeString('url', { description: 'URL that receives the webhooks.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Your note about the endpoint; null if there is none.',
    }),
    stats: t.field({
      type: EndpointStatsRef,
      complexity: 100,
      args: { hours: t.arg.int({ required: true, description: 'Number of hours back from now, 1 to 168.' }) },
      description:
        'Statistics of the deliveries of the last hours; at most the newest 10000 count. Counts as 100 fields towards the limit of a query. Errors: `invalid_request`, param `hours`.',
      resolve: (endpoint, { hours }, { app }) => endpointStats(app.db, endpoint, hours, app.clock.now()),
    }),
    eventTypes: t.exposeStringList('eventTypes', {
      requires: null,
      description: 'Event types that the endpoint receives; an empty list means all.',
    }),
    maxPerSecond: t.exposeInt('maxPerSecond', {
      requires: null,
      nullable: true,
      description: 'Maximum webhooks per second; null means no limit.',
    }),
    maxConcurrency: t.exposeInt('maxConcurrency', {
      requires: null,
      description: 'Maximum webhooks that wait for a response of the endpoint at the same time.',
    }),
    status: t.expose('status', {
      requires: null,
      type: EndpointStatus,
      description: 'Status of the endpoint.',
    }),
    disabledReason: t.expose('disabledReason', {
      type: EndpointDisabledReason,
      nullable: true,
      description: 'Why the endpoint was disabled; null while it is enabled.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the endpoint was disabled; null while it is enabled.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the first failure since the last success happened; null if there was none. After five days of failures the endpoint is disabled.',
    }),
    pausedUntil: t.expose('pausedUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when sending is paused, because the endpoint was overloaded (status 429, 502 or 504, or no response); null if it is not paused.',
    }),
    previousSecretUntil: t.field({
      requires: null,
      type: 'DateTime',
      nullable: true,
      description:
        'Until when webhooks are also signed with the previous secret; null if they are signed with one secret.',
      resolve: ({ previousSecretUntil: until }, _args, { app }) =>
        until && until > app.wallClock.now() ? until : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the endpoint was created.' }),
  }),
});

builder.queryFields((t) => ({
  webhookEndpoint: t.prismaField({
    type: WebhookEndpointRef,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    description: 'One webhook endpoint. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) =>
      findEndpoint(context.app.db, scopeOf(context), id, 'id', query),
  }),
  webhookEndpoints: t.prismaConnection(
    {
      type: WebhookEndpointRef,
      cursor: 'id',
      description:
        'Webhook endpoints, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, _args, context) =>
        context.app.db.webhookEndpoint.count({ where: notDeleted(context) }),
      resolve: async (query, _root, _args, context) => {
        const { webhookEndpoint } = context.app.db;
        const where = notDeleted(context);
        const { page, condition } = await replaceCursor(query, (id) =>
          webhookEndpoint.findFirst({ where: { ...where, id }, select: LIST_POSITION }),
        );
        return webhookEndpoint.findMany({
          ...page,
          where: { AND: [where, condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'WebhookEndpointConnection', description: 'A page of webhook endpoints.' },
    { name: 'WebhookEndpointEdge', description: 'One webhook endpoint of a page, with its cursor.' },
  ),
}));

function notDeleted(context: GraphqlContext) {
  return { ...scopeOf(context), status: { not: 'DELETED' as const } };
}
