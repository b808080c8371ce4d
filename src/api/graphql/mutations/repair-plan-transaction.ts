import { repairPlan } from '../../../domain/catalog/plan/repair-plan.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { PlanToPublishRef } from './create-plan.ts';

builder.mutationFields((t) => ({
  repairPlanTransaction: t.field({
    type: PlanToPublishRef,
    args: { planId: t.arg.string({ required: true, description: "The merchant's id of a plan." }) },
    description:
      "Creates the transaction that repairs a plan whose `problem` is NOT_OUR_PLAN_TO_PULL: it adds the collectors of dues to the plan on chain, so that dues can collect the plan's payments again. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `planId`, if the plan needs no repair, is closed to new customers, or cannot be read on chain.",
    resolve: (_root, { planId }, context) => repairPlan(context.app, scopeOf(context), planId),
  }),
}));
