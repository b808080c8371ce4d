import { sunsetPlan } from '../../domain/plan/sunset-plan.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { PlanToPublishRef } from './create-plan.ts';

builder.mutationFields((t) => ({
  sunsetPlanTransaction: t.field({
    type: PlanToPublishRef,
    args: {
      planId: t.arg.string({ required: true, description: "The merchant's own id of an active plan." }),
      endsAt: t.arg({
        type: 'DateTime',
        required: true,
        description:
          'When nothing is collected any more, from those who subscribed either: a whole second, at least one interval and two minutes away.',
      }),
    },
    description:
      'The transaction that closes a plan to new subscribers: it turns INACTIVE when that is seen on chain. It cannot be taken back. Errors: `authentication_error`; `not_found`, or `invalid_request` where it is not active, param `planId`; `invalid_request`, param `endsAt`.',
    resolve: (_root, input, context) => sunsetPlan(context.app, scopeOf(context), input),
  }),
}));
