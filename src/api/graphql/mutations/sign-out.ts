import { signOut, signOutEverywhere } from '../../../domain/accounts/sign-in/sign-out.ts';
import { actingForMerchant } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../loaders/member.ts';
import { cookieOf } from '../transport/set-cookie.ts';

builder.mutationFields((t) => ({
  signOut: t.boolean({
    requires: 'READ',
    description:
      'Ends the member session of this browser and its open streams, and clears its cookie. Returns true. Needs a signed-in member; an API key is refused. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const setCookie = cookieOf(context);
      await signOut(context.app, actingForMerchant(context), memberOf(context));
      setCookie(null);
      return true;
    },
  }),
  signOutEverywhere: t.int({
    requires: 'READ',
    description:
      'Ends all member sessions of the wallet, in all browsers and for all its merchants. Returns their number. Needs a signed-in member; an API key is refused. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const setCookie = cookieOf(context);
      const ended = await signOutEverywhere(context.app, actingForMerchant(context), memberOf(context));
      setCookie(null);
      return ended;
    },
  }),
}));
