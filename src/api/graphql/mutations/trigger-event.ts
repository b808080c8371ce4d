import { triggerEvent } from '../../../domain/messages/webhook/trigger-event.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { Event } from '../types/event.ts';

builder.mutationFields((t) => ({
  triggerEvent: t.field({
    type: Event,
    requires: ['READ', 'WRITE'],
    args: {
      type: t.arg.string({
        required: true,
        description: 'Any event type about a subscription, for example `subscription.payment_failed`.',
      }),
      subscriptionId: t.arg.id({
        description:
          'Address or `lifeId` of the subscription that the event is about. Default: a made-up subscription.',
      }),
    },
    description:
      'Records a sample event, in TEST only. dues sends it to the endpoints that receive its type and to clients of live updates. It changes nothing else. Its `metadata` has `"sample": true`. Errors: `authentication_error`; `not_found`, param `subscriptionId`; `invalid_request`, param `type`.',
    resolve: (_root, args, context) => triggerEvent(context.app, actingScopeOf(context), withoutNulls(args)),
  }),
}));
