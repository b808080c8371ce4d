import { updateEndpoint } from '../../../domain/webhook/update-endpoint.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';
import { withoutNulls } from '../without-nulls.ts';

const EndpointSwitch = builder.enumType('EndpointSwitch', {
  description: 'Whether an endpoint receives webhooks.',
  values: {
    ENABLED: { description: 'On; its record of failures is cleared.' },
    DISABLED: { description: 'Off; its pending deliveries keep waiting.' },
  } as const,
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'The fields to change; others stay unchanged.',
  fields: (t) => ({
    url: t.string({ description: 'URL that receives the webhooks: public, and https in LIVE.' }),
    eventTypes: t.stringList({ description: 'Event types that it receives; empty means all.' }),
    maxPerSecond: t.int({
      description: 'Maximum webhooks per second, 1 to 1000; null means no limit.',
    }),
    description: t.string({ description: 'A note of at most 500 characters; null removes it.' }),
    status: t.field({ type: EndpointSwitch, description: 'On or off.' }),
  }),
});

builder.mutationFields((t) => ({
  updateWebhookEndpoint: t.field({
    type: WebhookEndpointRef,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the endpoint.' }),
      input: t.arg({
        type: UpdateWebhookEndpointInput,
        required: true,
        description: 'The fields to change.',
      }),
    },
    description:
      'Changes an endpoint. Pending deliveries go to the new URL, and are cancelled if the endpoint no longer receives their event type. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param as in the input.',
    resolve: (_root, { id, input }, context) => {
      const { maxPerSecond, description, ...others } = input;
      // Here null is a value: no limit, and no note.
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
