import { replayDeliveries } from '../../../domain/webhook/replay-deliveries.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { withoutNulls } from '../without-nulls.ts';

const WebhookResult = builder.enumType('WebhookResult', {
  description: 'The outcome of an event at an endpoint.',
  values: {
    SUCCEEDED: { description: 'Delivered.' },
    FAILED: { description: 'Failed after the last attempt.' },
    CANCELLED: { description: 'Cancelled, because the endpoint no longer received the event type.' },
    NOT_SENT: {
      description:
        'No delivery exists: the endpoint was disabled or did not exist yet. Events without a subscription are left out.',
    },
  } as const,
});

const ReplayWebhooksInput = builder.inputType('ReplayWebhooksInput', {
  description: 'The events to send again.',
  fields: (t) => ({
    endpointId: t.id({ required: true, description: 'Where to.' }),
    from: t.field({ type: 'DateTime', required: true, description: 'Only events at this time or later.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Only events before this time.' }),
    eventTypes: t.stringList({
      description: 'Only these event types; default all that the endpoint receives.',
    }),
    results: t.field({
      type: [WebhookResult],
      description: 'Only events with these outcomes; default FAILED and NOT_SENT.',
    }),
  }),
});

const ReplayedWebhooks = builder
  .objectRef<{ count: number; isDryRun: boolean }>('ReplayedWebhooks')
  .implement({
    description: 'The result of a replay or of its dry run.',
    requires: null,
    fields: (t) => ({
      count: t.exposeInt('count', { description: 'Number of events.' }),
      isDryRun: t.exposeBoolean('isDryRun', { description: 'Whether the events were only counted.' }),
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
        description: 'Whether to count the events without sending them; default true.',
      }),
    },
    description:
      'Sends a range of at most 100,000 events to an endpoint again; the events of one subscription stay in order. New events do not wait for them. Errors: `authentication_error`; `not_found`, param `endpointId`; `invalid_request`, param `endpointId` (disabled), `from` (too many), `to` or `eventTypes`.',
    resolve: async (_root, { input, dryRun: isDryRun }, context) => {
      const wanted = { ...withoutNulls(input), isDryRun };
      return { count: await replayDeliveries(context.app, actingScopeOf(context), wanted), isDryRun };
    },
  }),
}));
