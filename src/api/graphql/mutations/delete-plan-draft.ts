import { deleteDraft } from '../../../domain/catalog/plan/delete-draft.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';

builder.mutationFields((t) => ({
  deletePlanDraft: t.string({
    args: { planId: t.arg.string({ required: true, description: "The merchant's id of a draft." }) },
    description:
      'Deletes the draft of a plan and returns its `planId`, which can be used again. Do not sign the transaction of the draft afterwards: it would create a plan on chain that dues does not know. Errors: `authentication_error`; `not_found`, param `planId`; `invalid_request`, param `planId`, if the plan is published or the cluster cannot be read yet.',
    resolve: async (_root, { planId }, context) => {
      await deleteDraft(context.app, actingScopeOf(context), planId);
      return planId;
    },
  }),
}));
