import { chooseMerchant } from '../../../domain/accounts/sign-in/choose-merchant.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';
import { cookieOf } from '../transport/set-cookie.ts';
import { Viewer } from '../types/viewer.ts';

builder.mutationFields((t) => ({
  chooseMerchant: t.field({
    type: Viewer,
    requires: 'READ',
    args: {
      merchantId: t.arg.id({ required: true, description: 'Id of a merchant from `viewer.memberships`.' }),
    },
    description:
      'Switches the signed-in member to another merchant. The response sets the cookie of a new member session; the previous session and its open streams end. Needs a signed-in member; an API key is refused. Errors: `authentication_error`; `not_found`, param `merchantId`.',
    resolve: async (_root, input, context) => {
      const setCookie = cookieOf(context);
      const member = memberOf(context);
      const opened = await chooseMerchant(context.app, member, input, context.requestOrigin);
      setCookie(opened);
      return { ...opened.caller, environment: member.environment };
    },
  }),
}));
