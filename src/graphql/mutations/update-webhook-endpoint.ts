import { updateEndpoint } from '../../domain/webhook/update-endpoint.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';
import { WebhookEndpointRef } from '../types/webhook-endpoint.ts';

const EndpointSwitch = builder.enumType('EndpointSwitch', {
  description: 'Whether an endpoint is to receive anything.',
  values: {
    ENABLED: { description: 'On, with a clean record.' },
    DISABLED: { description: 'Off: what waits goes on waiting.' },
  } as const,
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'What is to be changed; what is not given stays as it is.',
  fields: (t) => ({
    url: t.string({ description: 'Where webhooks are posted to: public, and https in LIVE.' }),
    eventTypes: t.stringList({ description: 'Which events it receives; empty means all.' }),
    maxPerSecond: t.int({
      description: 'Webhooks that it receives in a second at most, 1 to 1000; null means as many as come.',
    }),
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
        description: 'What is to be changed.',
      }),
    },
    description:
      'Changes an endpoint, also for the deliveries that wait: they go to the new URL, and are cancelled where it no longer wants their event. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param as in the input.',
    resolve: (_root, { id, input }, context) => {
      const { maxPerSecond, ...others } = input;
      // Here null is a value: no limit.
      const rate = maxPerSecond === undefined ? {} : { maxPerSecond };
      return updateEndpoint(context.app, actingScopeOf(context), id, { ...given(others), ...rate });
    },
  }),
}));
