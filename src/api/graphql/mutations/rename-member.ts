import { renameMember } from '../../../domain/member/rename-member.ts';
import { actingForMerchant } from '../acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf, ownerOf } from '../member.ts';
import { Member } from '../types/member.ts';

builder.mutationFields((t) => ({
  renameMember: t.field({
    type: Member,
    requires: 'READ',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the member.' }),
      name: t.arg.string({ description: '1 to 100 characters; null removes the name.' }),
    },
    description:
      'Gives a member a name for its team. Members name themselves, owners anybody. Errors: `authentication_error`; `not_found`, param `id`; `invalid_request`, param `name`.',
    resolve: (_root, { id, name }, context) => {
      if (memberOf(context).memberId !== id) ownerOf(context);
      return renameMember(context.app, actingForMerchant(context), { id, name: name ?? null });
    },
  }),
}));
