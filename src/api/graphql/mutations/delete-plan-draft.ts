import { deleteDraft } from '../../../domain/plan/delete-draft.ts';
import { actingScopeOf } from '../acting-scope.ts';
import { builder } from '../builder.ts';

builder.mutationFields((t) => ({
  deletePlanDraft: t.string({
    args: { planId: t.arg.string({ required: true, description: "The merchant's id of a draft." }) },
    description:
      'Deletes a draft and returns its `planId`, which can be used again. Do not sign its transaction after that: dues does not know the plan that it would create. Errors: `authentication_error`; `not_found`, or `invalid_request` if it is published, param `planId`.',
    resolve: async (_root, { planId }, context) => {
      await deleteDraft(context.app, actingScopeOf(context), planId);
      return planId;
    },
  }),
}));
