import { publishTransaction } from '../../../domain/catalog/plan/publish-transaction.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { PlanToPublishRef } from './create-plan.ts';

builder.mutationFields((t) => ({
  publishPlanTransaction: t.field({
    type: PlanToPublishRef,
    args: { planId: t.arg.string({ required: true, description: "The merchant's id of a draft." }) },
    description:
      'Creates a new transaction that publishes a draft. The transaction is valid for about a minute. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `planId`, if the plan is already published.',
    resolve: (_root, { planId }, context) => publishTransaction(context.app, scopeOf(context), planId),
  }),
}));
