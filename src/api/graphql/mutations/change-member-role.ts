import { changeMemberRole } from '../../../domain/accounts/member/change-member-role.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../loaders/member.ts';
import { Member, MemberRole } from '../types/member.ts';

builder.mutationFields((t) => ({
  changeMemberRole: t.field({
    type: Member,
    args: {
      id: t.arg.id({ required: true, description: 'Id of the member.' }),
      role: t.arg({ type: MemberRole, required: true, description: 'The new role.' }),
    },
    description:
      'Changes the role of a member. Only owners may do this. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `id`, if the member is the last owner.',
    resolve: (_root, input, context) => {
      ownerOf(context);
      return changeMemberRole(context.app, actingForMerchant(context), input);
    },
  }),
}));
