import { deletePlan } from '../../../domain/plan/delete-plan.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { PlanToPublishRef } from './create-plan.ts';

builder.mutationFields((t) => ({
  deletePlanTransaction: t.field({
    type: PlanToPublishRef,
    args: {
      planId: t.arg.string({ required: true, description: "The merchant's id of a plan that has ended." }),
    },
    description:
      "Creates the transaction that deletes a plan's account on chain after its end and returns the rent to the merchant's wallet. The plan and its history stay in dues. Errors: `authentication_error`; `not_found`, or `invalid_request` if it has not ended or its account is deleted already, param `planId`.",
    resolve: (_root, { planId }, context) => deletePlan(context.app, scopeOf(context), planId),
  }),
}));
