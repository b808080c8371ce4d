import { signIn } from '../../../domain/accounts/sign-in/sign-in.ts';
import { builder } from '../builder.ts';
import { memberIfAny } from '../loaders/member.ts';
import { cookieOf } from '../transport/set-cookie.ts';
import { SignInOutput, signedMessageOf } from '../transport/sign-in-output.ts';
import { Viewer } from '../types/viewer.ts';

builder.mutationFields((t) => ({
  signIn: t.field({
    type: Viewer,
    requires: null,
    args: {
      output: t.arg({
        type: SignInOutput,
        required: true,
        description: 'Output of the wallet for `signInInput`.',
      }),
    },
    description:
      'Signs a member in. The response sets the cookie of a member session, with which the pages of this service use this API. A member session ends after 7 days, or after 12 hours without use. Needs no key. Errors: `invalid_request`, param `address`, `signedMessage` or `signature`; `authentication_error` if the wallet is not a member of any merchant. If `signUpPolicy` is OPEN, `createMerchant` then accepts the same output once.',
    resolve: async (_root, { output }, context) => {
      const setCookie = cookieOf(context);
      const { app, requestOrigin } = context;
      const opened = await signIn(app, signedMessageOf(output), requestOrigin, memberIfAny(context));
      setCookie(opened);
      return opened.caller;
    },
  }),
}));
