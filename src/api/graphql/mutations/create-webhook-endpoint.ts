import { createEndpoint, MAX_ENDPOINTS } from '../../../domain/messages/webhook/create-endpoint.ts';
import { DEFAULT_CONCURRENCY, MAX_CONCURRENCY } from '../../../domain/messages/webhook/endpoint-settings.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { NewWebhookEndpoint } from '../types/new-webhook-endpoint.ts';

builder.mutationFields((t) => ({
  createWebhookEndpoint: t.field({
    type: NewWebhookEndpoint,
    requires: ['READ', 'WRITE'],
    args: {
      url: t.arg.string({
        required: true,
        description: 'URL that receives the webhooks: public, and https in LIVE.',
      }),
      eventTypes: t.arg.stringList({
        description:
          'Event types that the endpoint receives, for example `subscription.created`; default all.',
      }),
      maxPerSecond: t.arg.int({
        description: 'Maximum webhooks per second, 1 to 1000; default no limit.',
      }),
      maxConcurrency: t.arg.int({
        description: `Maximum webhooks that wait for a response of the endpoint at the same time, 1 to ${MAX_CONCURRENCY}; default ${DEFAULT_CONCURRENCY}.`,
      }),
      description: t.arg.string({ description: 'A note about the endpoint, at most 500 characters.' }),
    },
    description: `Adds a webhook endpoint. An environment has at most ${MAX_ENDPOINTS} endpoints. Errors: \`authentication_error\`; \`invalid_request\`, param \`url\` (also if there are already ${MAX_ENDPOINTS} endpoints), \`eventTypes\`, \`maxPerSecond\`, \`maxConcurrency\` or \`description\`.`,
    resolve: (_root, args, context) =>
      createEndpoint(context.app, { ...actingScopeOf(context), ...withoutNulls(args) }),
  }),
}));
