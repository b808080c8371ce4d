import { createEndpoint, MOST_ENDPOINTS } from '../../domain/webhook/create-endpoint.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';
import { NewWebhookEndpoint } from '../types/new-webhook-endpoint.ts';

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: NewWebhookEndpoint,
    args: {
      url: t.arg.string({
        required: true,
        description: 'Where webhooks are posted to: public, and https in LIVE.',
      }),
      eventTypes: t.arg.stringList({
        description: 'Which events it receives, `subscription.created` for example; without it all.',
      }),
      maxPerSecond: t.arg.int({
        description: 'Webhooks that it receives in a second at most, 1 to 1000; without it as many as come.',
      }),
    },
    description: `Adds a place that receives webhooks; there may be ${MOST_ENDPOINTS} in each environment. Errors: \`authentication_error\`; \`invalid_request\`, param \`url\` (also where there are ${MOST_ENDPOINTS} already), \`eventTypes\` or \`maxPerSecond\`.`,
    resolve: (_root, args, context) =>
      createEndpoint(context.app, { ...actingScopeOf(context), ...given(args) }),
  }),
}));
