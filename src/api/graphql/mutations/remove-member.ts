import { removeMember } from '../../../domain/accounts/member/remove-member.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../loaders/member.ts';
import { Member } from '../types/member.ts';

builder.mutationFields((t) => ({
  removeMember: t.field({
    type: Member,
    args: { id: t.arg.id({ required: true, description: 'Id of the member.' }) },
    description:
      'Removes a member and ends all their member sessions for this merchant. Only owners may do this. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `id`, if the member is the last owner.',
    resolve: (_root, input, context) => {
      ownerOf(context);
      return removeMember(context.app, actingForMerchant(context), input);
    },
  }),
}));
