import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';

export const EndpointStatus = builder.enumType('EndpointStatus', {
  description: 'Whether an endpoint receives anything.',
  values: {
    ENABLED: { description: 'Receives its events.' },
    DISABLED: { description: 'Receives nothing.' },
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
    status: t.expose('status', { type: EndpointStatus, description: 'Whether it receives anything.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
});

builder.queryFields((t) => ({
  webhookEndpoints: t.prismaConnection(
    {
      type: WebhookEndpointRef,
      cursor: 'id',
      description:
        'Webhook endpoints, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range.',
      totalCount: (_root, _args, context) =>
        context.app.db.webhookEndpoint.count({ where: scopeOf(context) }),
      resolve: (query, _root, _args, context) =>
        context.app.db.webhookEndpoint.findMany({
          ...query,
          where: scopeOf(context),
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
    },
    { name: 'WebhookEndpointConnection', description: 'A page of webhook endpoints.' },
    { name: 'WebhookEndpointEdge', description: 'One of webhook endpoints.' },
  ),
}));
