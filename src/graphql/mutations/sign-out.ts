import { signOut, signOutEverywhere } from '../../domain/sign-in/sign-out.ts';
import { actingForMerchant } from '../acting.ts';
import { builder } from '../builder.ts';
import { memberOf } from '../member.ts';
import { cookieOf } from '../session-cookie.ts';

builder.mutationFields((t) => ({
  signOut: t.boolean({
    requires: 'READ',
    description:
      'Ends the session of this browser, with what it has open, and takes its cookie away. For members only. True. Errors: `authentication_error`.',
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
      'Ends every session of the wallet, in all browsers and at all its merchants. For members only. How many they were. Errors: `authentication_error`.',
    resolve: async (_root, _args, context) => {
      const setCookie = cookieOf(context);
      const ended = await signOutEverywhere(context.app, actingForMerchant(context), memberOf(context));
      setCookie(null);
      return ended;
    },
  }),
}));
