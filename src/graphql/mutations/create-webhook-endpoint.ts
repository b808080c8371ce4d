import { createEndpoint } from '../../domain/webhook/create-endpoint.ts';
import type { WebhookEndpoint } from '../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';

const NewWebhookEndpoint = builder
  .objectRef<{ endpoint: WebhookEndpoint; secret: string }>('NewWebhookEndpoint')
  .implement({
    description: 'An endpoint with its secret, which is shown here and never again.',
    fields: (t) => ({
      endpoint: t.expose('endpoint', { type: WebhookEndpointRef, description: 'The endpoint.' }),
      secret: t.exposeString('secret', {
        description:
          'Key of the signatures: `whsec_` and base64. The whole string is the key of `x-webhook-signature`.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: NewWebhookEndpoint,
    args: {
      url: t.arg.string({ required: true, description: 'Where webhooks are posted to; https.' }),
      eventTypes: t.arg.stringList({
        description: 'Which events it receives, `subscription.created` for example; without it all.',
      }),
    },
    description:
      'Adds a place that receives webhooks. Errors: `authentication_error`; `invalid_request`, param `url` or `eventTypes`.',
    resolve: (_root, { url, eventTypes }, context) =>
      createEndpoint(context.app, { ...scopeOf(context), url, eventTypes: eventTypes ?? [] }),
  }),
}));
