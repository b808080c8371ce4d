import { publishTransaction } from '../../domain/plan/publish-transaction.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { PlanToPublishRef } from './create-plan.ts';

builder.mutationFields((t) => ({
  publishPlanTransaction: t.field({
    type: PlanToPublishRef,
    args: { planId: t.arg.string({ required: true, description: "The merchant's own id of a draft." }) },
    description:
      'A fresh transaction for a draft: one dies within a minute. Errors: `authentication_error`; `not_found`, or `invalid_request` where it is published already, param `planId`.',
    resolve: (_root, { planId }, context) => publishTransaction(context.app, scopeOf(context), planId),
  }),
}));
