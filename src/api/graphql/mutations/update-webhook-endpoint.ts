import { MAX_CONCURRENCY } from '../../../domain/messages/webhook/endpoint-settings.ts';
import { updateEndpoint } from '../../../domain/messages/webhook/update-endpoint.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';

const EndpointSwitch = builder.enumType('EndpointSwitch', {
  description: 'Whether an endpoint receives webhooks.',
  values: {
    ENABLED: {
      description:
        'Receives webhooks. When a disabled endpoint is enabled, its `failingSince` and `pausedUntil` become null.',
    },
    DISABLED: { description: 'Receives nothing. Its pending deliveries wait until it is enabled.' },
  } as const,
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    url: t.string({ description: 'URL that receives the webhooks: public, and https in LIVE.' }),
    eventTypes: t.stringList({
      description: 'Event types that the endpoint receives; an empty list means all.',
    }),
    maxPerSecond: t.int({
      description: 'Maximum webhooks per second, 1 to 1000; null means no limit.',
    }),
    maxConcurrency: t.int({
      description: `Maximum webhooks that wait for a response of the endpoint at the same time, 1 to ${MAX_CONCURRENCY}.`,
    }),
    description: t.string({
      description: 'A note about the endpoint, at most 500 characters; null removes it.',
    }),
    status: t.field({ type: EndpointSwitch, description: 'Enables or disables the endpoint.' }),
  }),
});

builder.mutationFields((t) => ({
  updateWebhookEndpoint: t.field({
    type: WebhookEndpointRef,
    requires: ['READ', 'WRITE'],
    args: {
      id: t.arg.id({ required: true, description: 'Id of the endpoint.' }),
      input: t.arg({
        type: UpdateWebhookEndpointInput,
        required: true,
        description: 'The fields to change.',
      }),
    },
    description:
      'Changes a webhook endpoint. Pending deliveries go to the new URL; they are cancelled if the endpoint no longer receives their event type. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request` with the field of the input as param.',
    resolve: (_root, { id, input }, context) => {
      const { maxPerSecond, description, ...others } = input;
      // Null is a value here: it removes the limit or the note.
      const nullable = {
        ...(maxPerSecond !== undefined && { maxPerSecond }),
        ...(description !== undefined && { description }),
      };
      return updateEndpoint(context.app, actingScopeOf(context), id, {
        ...withoutNulls(others),
        ...nullable,
      });
    },
  }),
}));
