import { replayDeliveries } from '../../../domain/messages/webhook/replay-deliveries.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';

const WebhookResult = builder.enumType('WebhookResult', {
  description: 'Outcome of the delivery of an event to an endpoint.',
  values: {
    SUCCEEDED: { description: 'The event was delivered.' },
    FAILED: { description: 'The last attempt failed.' },
    CANCELLED: {
      description: 'The delivery was cancelled, because the endpoint no longer received the event type.',
    },
    NOT_SENT: {
      description:
        'There is no delivery: at that time the endpoint was disabled, did not exist yet or did not receive the event type, or the delivery was removed after 90 days. Events without a subscription are left out.',
    },
  } as const,
});

const ReplayWebhooksInput = builder.inputType('ReplayWebhooksInput', {
  description: 'An endpoint, and the events to send to it again.',
  fields: (t) => ({
    endpointId: t.id({ required: true, description: 'Id of the endpoint to which the events are sent.' }),
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
      count: t.exposeInt('count', {
        description: 'Number of events that were sent or, in a dry run, that would be sent.',
      }),
      isDryRun: t.exposeBoolean('isDryRun', {
        description: 'Whether the events were only counted and not sent.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  replayWebhooks: t.field({
    type: ReplayedWebhooks,
    requires: ['READ', 'WRITE'],
    args: {
      input: t.arg({ type: ReplayWebhooksInput, required: true, description: 'The events to send again.' }),
      dryRun: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: 'True to count the events without sending them; default true.',
      }),
    },
    description:
      'Sends the events of a time range to an endpoint again, at most 100,000. The events of one subscription stay in order. New events do not wait for the replay. Errors: `authentication_error`; `not_found`, param `endpointId`; `invalid_request`, param `endpointId` (the endpoint is disabled), `from` (too many events), `to` or `eventTypes`.',
    resolve: async (_root, { input, dryRun: isDryRun }, context) => {
      const replay = { ...withoutNulls(input), isDryRun };
      return { count: await replayDeliveries(context.app, actingScopeOf(context), replay), isDryRun };
    },
  }),
}));
