import { makeSignInInput } from '../../../domain/accounts/sign-in/make-sign-in-input.ts';
import type { SignInFields } from '../../../domain/accounts/sign-in/sign-in-message.ts';
import { builder } from '../builder.ts';

const SignInInput = builder.objectRef<SignInFields>('SignInInput').implement({
  description:
    'Input for the `solana:signIn` feature of a wallet. Pass it on unchanged. A wallet without that feature can sign the message that is built from these fields: https://github.com/phantom/sign-in-with-solana',
  requires: null,
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'Host of this service.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'Account that must sign, base58; null if any account of the wallet may sign.',
    }),
    statement: t.exposeString('statement', { description: 'Text that the wallet shows.' }),
    uri: t.exposeString('uri', { description: 'Origin of this service.' }),
    version: t.exposeString('version', { description: 'Version of the message: `1`.' }),
    chainId: t.exposeString('chainId', { description: '`solana:mainnet` or `solana:devnet`.' }),
    nonce: t.exposeString('nonce', { description: 'Random value of 32 hex digits, valid for one sign-in.' }),
    issuedAt: t.exposeString('issuedAt', {
      description: 'When the input was created. ISO 8601; pass it on unchanged.',
    }),
    expirationTime: t.exposeString('expirationTime', {
      description: 'When the input expires, five minutes after `issuedAt`. ISO 8601; pass it on unchanged.',
    }),
  }),
});

builder.mutationFields((t) => ({
  signInInput: t.field({
    type: SignInInput,
    requires: null,
    args: {
      address: t.arg.string({
        description: 'Account that must sign, base58; default any account of the wallet.',
      }),
    },
    description:
      'Creates the message that a wallet signs for `signIn`. Needs no key. Errors: `invalid_request`, param `address`.',
    resolve: (_root, { address }, { app }) => makeSignInInput(app, address ?? undefined),
  }),
}));
