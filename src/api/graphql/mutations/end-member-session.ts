import { endMemberSession } from '../../../domain/accounts/sign-in/member-sessions.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';
import { cookieOf } from '../transport/set-cookie.ts';

builder.mutationFields((t) => ({
  endMemberSession: t.boolean({
    requires: 'READ',
    args: { id: t.arg.id({ required: true, description: 'Id of a member session from `viewer.sessions`.' }) },
    description:
      'Ends one member session of the wallet and its open streams, and returns true. For the session of this browser it does the same as `signOut`. Needs a signed-in member; an API key is refused. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: async (_root, { id }, context) => {
      const setCookie = cookieOf(context);
      const member = memberOf(context);
      await endMemberSession(context.app, member, actingForMerchant(context).actor, id);
      if (id === member.sessionId) setCookie(null);
      return true;
    },
  }),
}));
