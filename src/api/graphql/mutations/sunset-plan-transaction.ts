import { sunsetPlan } from '../../../domain/catalog/plan/sunset-plan.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { PlanToPublishRef } from './create-plan.ts';

builder.mutationFields((t) => ({
  sunsetPlanTransaction: t.field({
    type: PlanToPublishRef,
    args: {
      planId: t.arg.string({ required: true, description: "The merchant's id of an active plan." }),
      endsAt: t.arg({
        type: 'DateTime',
        required: true,
        description:
          'When collection ends for all customers: a whole second, at least one interval, two minutes and the largest `collectWithinSeconds` that the plan has had from now, and not later than an existing end. An existing end can always be kept.',
      }),
    },
    description:
      'Creates the transaction that closes a plan to new customers. The plan becomes INACTIVE when the transaction is seen on chain, and cannot be reopened. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `planId` (the plan is not active) or `endsAt`.',
    resolve: (_root, input, context) => sunsetPlan(context.app, scopeOf(context), input),
  }),
}));
