import type { EndpointWithSecret } from '../../../domain/messages/webhook/create-endpoint.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from './webhook-endpoint.ts';

export const NewWebhookEndpoint = builder.objectRef<EndpointWithSecret>('NewWebhookEndpoint').implement({
  description: 'A webhook endpoint with its secret, which is shown only once.',
  requires: null,
  fields: (t) => ({
    endpoint: t.expose('endpoint', { type: WebhookEndpointRef, description: 'The endpoint.' }),
    secret: t.exposeString('secret', {
      description:
        'Secret for checking signatures: `whsec_` followed by base64. For `x-webhook-signature`, use the whole string as the key.',
    }),
  }),
});
