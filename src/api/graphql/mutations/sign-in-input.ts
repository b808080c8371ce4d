import { makeSignInInput } from '../../../domain/sign-in/make-sign-in-input.ts';
import type { SignInFields } from '../../../domain/sign-in/sign-in-message.ts';
import { builder } from '../builder.ts';

const SignInInput = builder.objectRef<SignInFields>('SignInInput').implement({
  description:
    'The input of a wallet’s `solana:signIn` feature, to be passed on unchanged. A wallet without that feature may sign the message built from these fields: https://github.com/phantom/sign-in-with-solana',
  requires: null,
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'Host of this service.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The account that must sign; null if any account of the wallet may.',
    }),
    statement: t.exposeString('statement', { description: 'The text shown by the wallet.' }),
    uri: t.exposeString('uri', { description: 'Origin of this service.' }),
    version: t.exposeString('version', { description: 'Version of the message: `1`.' }),
    chainId: t.exposeString('chainId', { description: '`solana:mainnet` or `solana:devnet`.' }),
    nonce: t.exposeString('nonce', { description: '32 hex digits, valid for one sign-in.' }),
    issuedAt: t.exposeString('issuedAt', { description: 'ISO 8601, to be passed on unchanged.' }),
    expirationTime: t.exposeString('expirationTime', {
      description: 'ISO 8601, five minutes after `issuedAt`.',
    }),
  }),
});

builder.mutationFields((t) => ({
  signInInput: t.field({
    type: SignInInput,
    requires: null,
    args: {
      address: t.arg.string({
        description: 'The account that must sign, base58; default any account of the wallet.',
      }),
    },
    description:
      'Creates the message that a wallet signs for `signIn`. Needs no key. Errors: `invalid_request`, param `address`.',
    resolve: (_root, { address }, { app }) => makeSignInInput(app, address ?? undefined),
  }),
}));
