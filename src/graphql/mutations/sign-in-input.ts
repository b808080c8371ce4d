import { makeSignInInput } from '../../domain/sign-in/make-sign-in-input.ts';
import type { SignInFields } from '../../domain/sign-in/sign-in-message.ts';
import { builder } from '../builder.ts';

const SignInInput = builder.objectRef<SignInFields>('SignInInput').implement({
  description:
    'The input of a wallet’s `solana:signIn`, to be passed on as it is. A wallet without that feature may sign the message that these fields make: https://github.com/phantom/sign-in-with-solana',
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'Host of this service.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The account that is to sign; null where the wallet’s owner chooses.',
    }),
    statement: t.exposeString('statement', { description: 'What the owner of the wallet reads.' }),
    uri: t.exposeString('uri', { description: 'Origin of this service.' }),
    version: t.exposeString('version', { description: 'Of the message: `1`.' }),
    chainId: t.exposeString('chainId', { description: '`solana:mainnet` or `solana:devnet`.' }),
    nonce: t.exposeString('nonce', { description: '32 hex digits; good for one answer.' }),
    issuedAt: t.exposeString('issuedAt', { description: 'ISO 8601, to be passed on digit by digit.' }),
    expirationTime: t.exposeString('expirationTime', { description: 'The same, five minutes later.' }),
  }),
});

builder.mutationFields((t) => ({
  signInInput: t.field({
    type: SignInInput,
    requires: null,
    args: {
      address: t.arg.string({
        description: 'The account that is to sign, base58; without it any account of the wallet may.',
      }),
    },
    description:
      'What a wallet is to be asked to sign, for `signIn`. Needs no key. Errors: `invalid_request`, param `address`.',
    resolve: (_root, { address }, { app }) => makeSignInInput(app, address ?? undefined),
  }),
}));
