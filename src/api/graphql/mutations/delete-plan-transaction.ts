import { deletePlan } from '../../../domain/catalog/plan/delete-plan.ts';
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
      "Creates the transaction that deletes a plan's account on chain after its end and returns the rent deposit to the merchant's wallet. dues keeps the plan and its history. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `planId`, if the plan has not ended or its account is already deleted.",
    resolve: (_root, { planId }, context) => deletePlan(context.app, scopeOf(context), planId),
  }),
}));
