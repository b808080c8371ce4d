import { replayDeliveries } from '../../domain/webhook/delivery/replay-deliveries.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';

const WebhookResult = builder.enumType('WebhookResult', {
  description: 'What became of an event at an endpoint.',
  values: {
    SUCCEEDED: { description: 'It was delivered.' },
    FAILED: { description: 'It was given up.' },
    CANCELLED: { description: 'The endpoint did not want it any more.' },
    NOT_SENT: { description: 'Nothing was made of it: the endpoint was off, or not there yet.' },
  } as const,
});

const ReplayWebhooksInput = builder.inputType('ReplayWebhooksInput', {
  description: 'Which events are to be sent again.',
  fields: (t) => ({
    endpointId: t.id({ required: true, description: 'Where to.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Happened at this moment or later.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Happened before this moment.' }),
    eventTypes: t.stringList({ description: 'Only of these types; without it all that the endpoint wants.' }),
    results: t.field({
      type: [WebhookResult],
      description: 'Only those of which this became; without it FAILED and NOT_SENT.',
    }),
  }),
});

const ReplayedWebhooks = builder
  .objectRef<{ count: number; isDryRun: boolean }>('ReplayedWebhooks')
  .implement({
    description: 'What a replay sends, or would send.',
    fields: (t) => ({
      count: t.exposeInt('count', { description: 'How many events.' }),
      isDryRun: t.exposeBoolean('isDryRun', { description: 'Whether they were only counted.' }),
    }),
  });

builder.mutationFields((t) => ({
  replayWebhooks: t.field({
    type: ReplayedWebhooks,
    args: {
      input: t.arg({ type: ReplayWebhooksInput, required: true, description: 'Which ones.' }),
      dryRun: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: 'Only counts, which is the default: look before you send.',
      }),
    },
    description:
      'Sends a range of events to an endpoint again, at most 100,000, those of one subscription in their order. New events do not wait for them. Errors: `authentication_error`; `not_found`, param `endpointId`; `invalid_request`, param `endpointId` (it is off), `from` (too many), `to` or `eventTypes`.',
    resolve: async (_root, { input, dryRun: isDryRun }, context) => {
      const wanted = { ...given(input), isDryRun };
      return { count: await replayDeliveries(context.app, actingScopeOf(context), wanted), isDryRun };
    },
  }),
}));
