import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { findEndpoint } from '../../domain/webhook/find-endpoint.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { seek } from '../seek.ts';

export const EndpointStatus = builder.enumType('EndpointStatus', {
  description: 'Whether an endpoint receives anything.',
  values: {
    ENABLED: { description: 'Receives its events.' },
    DISABLED: {
      description:
        'Receives nothing; what waited goes on waiting, new events are not kept for it (`replayWebhooks`).',
    },
    DELETED: { description: 'Removed; still seen in its deliveries.' },
  } as const,
});

export const EndpointDisabledReason = builder.enumType('EndpointDisabledReason', {
  description: 'Who or what switched an endpoint off.',
  values: {
    MERCHANT: { description: 'You did.' },
    GONE: { description: 'It answered 410.' },
    FAILING: { description: 'It did nothing but fail for five days.' },
  } as const,
});

export const WebhookEndpointRef = builder.prismaObject('WebhookEndpoint', {
  description: 'Where a merchant receives webhooks.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    url: t.exposeString('url', { description: 'Where they are posted to.' }),
    eventTypes: t.exposeStringList('eventTypes', {
      description: 'Which events it receives; empty means all.',
    }),
    maxPerSecond: t.exposeInt('maxPerSecond', {
      nullable: true,
      description: 'Webhooks that it receives in a second at most; null means as many as come.',
    }),
    status: t.expose('status', { type: EndpointStatus, description: 'Whether it receives anything.' }),
    disabledReason: t.expose('disabledReason', {
      type: EndpointDisabledReason,
      nullable: true,
      description: 'Who or what switched it off; null while it is on.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was switched off; null while it is on.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description:
        'Its first failure since it last worked; null while it works. After five days it is switched off.',
    }),
    pausedUntil: t.expose('pausedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'It was overloaded (429, 502, 504, or no answer): nothing is sent before this.',
    }),
    previousSecretUntil: t.expose('previousSecretUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then the secret before the last rotation signs as well; null where there was none.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

builder.queryFields((t) => ({
  webhookEndpoint: t.prismaField({
    type: WebhookEndpointRef,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
    description: 'A webhook endpoint. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) =>
      findEndpoint(context.app.db, scopeOf(context), id, 'id', query),
  }),
  webhookEndpoints: t.prismaConnection(
    {
      type: WebhookEndpointRef,
      cursor: 'id',
      description:
        'Webhook endpoints, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, _args, context) => context.app.db.webhookEndpoint.count({ where: kept(context) }),
      resolve: async (query, _root, _args, context) => {
        const { webhookEndpoint } = context.app.db;
        const where = kept(context);
        const { page, condition } = await seek(query, (id) =>
          webhookEndpoint.findFirst({ where: { ...where, id }, select: PLACE }),
        );
        return webhookEndpoint.findMany({
          ...page,
          where: { AND: [where, condition] },
          orderBy: NEWEST_FIRST,
        });
      },
    },
    { name: 'WebhookEndpointConnection', description: 'A page of webhook endpoints.' },
    { name: 'WebhookEndpointEdge', description: 'One of webhook endpoints.' },
  ),
}));

function kept(context: GraphqlContext) {
  return { ...scopeOf(context), status: { not: 'DELETED' as const } };
}
