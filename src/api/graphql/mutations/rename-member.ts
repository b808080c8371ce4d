import { renameMember } from '../../../domain/accounts/member/rename-member.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf, ownerOf } from '../loaders/member.ts';
import { Member } from '../types/member.ts';

builder.mutationFields((t) => ({
  renameMember: t.field({
    type: Member,
    requires: 'READ',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the member.' }),
      name: t.arg.string({ description: 'Name of the member, 1 to 100 characters; null removes it.' }),
    },
    description:
      'Sets the name that the team sees for a member. Members can rename themselves; owners can rename every member. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `name`.',
    resolve: (_root, { id, name }, context) => {
      if (memberOf(context).memberId !== id) ownerOf(context);
      return renameMember(context.app, actingForMerchant(context), { id, name: name ?? null });
    },
  }),
}));
