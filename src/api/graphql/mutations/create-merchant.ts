import { maySignUp, signUp, signUpPolicyOf } from '../../../domain/accounts/sign-in/sign-up.ts';
import { validAddress } from '../../../domain/kernel/input/valid-text.ts';
import { networkOf } from '../../access/caller-address.ts';
import { SIGN_UPS, tooManyRequests } from '../../rate-limit/rate-limit.ts';
import { builder } from '../builder.ts';
import { memberIfAny } from '../loaders/member.ts';
import { cookieOf } from '../transport/set-cookie.ts';
import { SignInOutput, signedMessageOf } from '../transport/sign-in-output.ts';
import { Viewer } from '../types/viewer.ts';

const SignUpPolicy = builder.enumType('SignUpPolicy', {
  description: 'Which wallets can create a merchant on this service.',
  values: {
    OPEN: { value: 'open', description: 'Any wallet can create a merchant.' },
    INVITED: {
      value: 'invited',
      description: 'Only a wallet that the operator of this service has invited can create one.',
    },
    CLOSED: { value: 'closed', description: 'Only the operator of this service can create merchants.' },
  } as const,
});

builder.queryFields((t) => ({
  signUpPolicy: t.field({
    type: SignUpPolicy,
    requires: null,
    description: 'Which wallets can create a merchant with `createMerchant`. Needs no key. Errors: none.',
    resolve: (_root, _args, { app }) => signUpPolicyOf({ config: app.config }),
  }),
  // The sign-in page asks this for a wallet whose sign-in was refused, because it is no member yet:
  // it has no session. So anyone can learn whether an address is invited, and nothing else about
  // it.
  canCreateMerchant: t.boolean({
    requires: null,
    args: { address: t.arg.string({ required: true, description: 'Address of the wallet. Base58.' }) },
    description:
      'Whether `signUpPolicy` allows this wallet to create a merchant. Needs no key. Errors: `invalid_request`, param `address`.',
    resolve: (_root, { address }, { app }) => maySignUp(app, validAddress('address', address)),
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
          'Output of the wallet for `signInInput`. Output that `signIn` has just refused, because the wallet is not a member of any merchant, is accepted too. Default: the wallet of the signed-in member.',
      }),
    },
    description:
      'Creates a merchant and signs in its first owner; the response sets the session cookie. The wallet of the owner owns the plans on chain and receives the money. A wallet can have only one merchant. `signUpPolicy` states which wallets can do this. Needs no key. Errors: `invalid_request`, param `companyName`, `walletAddress` (the wallet already has a merchant), `address`, `signedMessage` or `signature`; `authentication_error` if `signUpPolicy` does not allow it; `rate_limit_exceeded` after 10 calls per hour from one network address.',
    resolve: async (_root, { companyName, output }, context) => {
      const setCookie = cookieOf(context);
      const { requestOrigin } = context;
      const address = networkOf(requestOrigin.ipAddress ?? 'unknown');
      const verdict = await context.limits.take(SIGN_UPS, address);
      if (!verdict.allowed) {
        context.onCounted?.(verdict);
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
