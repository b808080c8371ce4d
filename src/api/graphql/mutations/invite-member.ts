import { inviteMember } from '../../../domain/accounts/member/invite-member.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { ownerOf } from '../loaders/member.ts';
import { Member, MemberRole } from '../types/member.ts';

builder.mutationFields((t) => ({
  inviteMember: t.field({
    type: Member,
    args: {
      walletAddress: t.arg.string({ required: true, description: 'Wallet of the new member. Base58.' }),
      role: t.arg({ type: MemberRole, required: true, description: 'Role of the new member.' }),
    },
    description:
      'Adds a member to the team, who can then sign in with the wallet. Only owners may do this. Errors: `authentication_error`; `invalid_request`, param `walletAddress`.',
    resolve: (_root, input, context) => {
      ownerOf(context);
      return inviteMember(context.app, actingForMerchant(context), input);
    },
  }),
}));
