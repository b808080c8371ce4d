import { chooseMerchant } from '../../../domain/sign-in/choose-merchant.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../member.ts';
import { cookieOf } from '../session-cookie.ts';
import { Viewer } from '../types/viewer.ts';

builder.mutationFields((t) => ({
  chooseMerchant: t.field({
    type: Viewer,
    requires: 'READ',
    args: {
      merchantId: t.arg.id({ required: true, description: 'One of `viewer.memberships`.' }),
    },
    description:
      'Switches to another merchant of the member. The response sets the cookie of a new member session; the previous one and its open streams end. For members only. Errors: `authentication_error`; `not_found`, param `merchantId`.',
    resolve: async (_root, input, context) => {
      const setCookie = cookieOf(context);
      const member = memberOf(context);
      const opened = await chooseMerchant(context.app, member, input, context.requestOrigin);
      setCookie(opened);
      return { ...opened.caller, environment: member.environment };
    },
  }),
}));
