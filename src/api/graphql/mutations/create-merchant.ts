import { signUp, signUpPolicyOf } from '../../../domain/sign-in/sign-up.ts';
import { networkOf } from '../../access/caller-address.ts';
import { SIGN_UPS, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import { builder } from '../builder.ts';
import { memberIfAny } from '../member.ts';
import { cookieOf } from '../session-cookie.ts';
import { SignInOutput, signedMessageOf } from '../sign-in-output.ts';
import { Viewer } from '../types/viewer.ts';

const SignUpPolicy = builder.enumType('SignUpPolicy', {
  description: 'Who may make a merchant.',
  values: {
    OPEN: { value: 'open', description: 'Any wallet.' },
    INVITED: { value: 'invited', description: 'Wallets that are a member of a merchant.' },
    CLOSED: { value: 'closed', description: 'Only the operator of this service.' },
  } as const,
});

builder.queryFields((t) => ({
  signUpPolicy: t.field({
    type: SignUpPolicy,
    requires: null,
    description: 'Who may make a merchant with `createMerchant`. Needs no key. Errors: none of its own.',
    resolve: (_root, _args, { app }) => signUpPolicyOf({ config: app.config }),
  }),
}));

builder.mutationFields((t) => ({
  createMerchant: t.field({
    type: Viewer,
    requires: null,
    args: {
      companyName: t.arg.string({ required: true, description: 'Name shown to customers.' }),
      output: t.arg({
        type: SignInOutput,
        description:
          "A wallet's answer to `signInInput`, also one that `signIn` has just refused because the wallet is not a member anywhere. Without it the wallet of the signed-in member.",
      }),
    },
    description:
      'Creates a merchant and signs its first owner in; the response sets the cookie. The wallet owns the plans of the merchant on chain and receives the money; it owns one merchant at most. `signUpPolicy` says who may do it; at most 10 calls per hour from one address. Needs no key. Errors: `invalid_request`, param `companyName`, `walletAddress` (the wallet has a merchant), `address`, `signedMessage` or `signature`; `authentication_error`; `rate_limit_exceeded`.',
    resolve: async (_root, { companyName, output }, context) => {
      const setCookie = cookieOf(context);
      const { requestOrigin } = context;
      const address = networkOf(requestOrigin.ipAddress ?? 'unknown');
      const verdict = await context.limits.take(SIGN_UPS, address);
      if (!verdict.allowed) {
        context.counted?.(verdict);
        throw tooManyRequests();
      }
      const opened = await signUp(
        context.app,
        {
          companyName,
          signed: output ? signedMessageOf(output) : undefined,
          member: memberIfAny(context),
        },
        requestOrigin,
      );
      setCookie(opened);
      return opened.caller;
    },
  }),
}));
