import { triggerEvent } from '../../domain/webhook/trigger-event.ts';
import { actingScopeOf } from '../acting.ts';
import { builder } from '../builder.ts';
import { given } from '../given.ts';
import { Event } from '../types/event.ts';

builder.mutationFields((t) => ({
  triggerEvent: t.field({
    type: Event,
    args: {
      type: t.arg.string({
        required: true,
        description: 'Any type about a subscription: `subscription.payment_failed` for example.',
      }),
      subscriptionId: t.arg.id({
        description:
          'The subscription at this address, or one `lifeId`, that it is to be about; without one it is about nobody.',
      }),
    },
    description:
      'Records a made-up event, in TEST only: it goes to the endpoints that want its type and to live listeners, and changes nothing else. Its `metadata` has `"sample": true`. Errors: `authentication_error`; `not_found`, param `subscriptionId`; `invalid_request`, param `type`.',
    resolve: (_root, args, context) => triggerEvent(context.app, actingScopeOf(context), given(args)),
  }),
}));
