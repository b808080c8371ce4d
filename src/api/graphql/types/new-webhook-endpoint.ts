import type { EndpointWithSecret } from '../../../domain/webhook/create-endpoint.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from './webhook-endpoint.ts';

export const NewWebhookEndpoint = builder.objectRef<EndpointWithSecret>('NewWebhookEndpoint').implement({
  description: 'An endpoint with its secret, which is shown only here.',
  requires: null,
  fields: (t) => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpointRef, description: 'The endpoint.' }),
    secret: t.exposeString('secret', {
      description:
        'Key of the signatures: `whsec_` followed by base64. The whole string is the key of `x-webhook-signature`.',
    }),
  }),
});
