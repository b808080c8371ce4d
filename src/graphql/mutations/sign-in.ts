import { signIn } from '../../domain/sign-in/sign-in.ts';
import { invalidRequest } from '../../errors.ts';
import { builder } from '../builder.ts';
import { cookieOf } from '../session-cookie.ts';
import { Viewer } from '../types/viewer.ts';

const SignInOutput = builder.inputType('SignInOutput', {
  description: 'What a wallet answers `solana:signIn` with.',
  fields: (t) => ({
    address: t.string({ required: true, description: '`account.address`, base58.' }),
    signedMessage: t.string({ required: true, description: 'The bytes that were signed, in base64.' }),
    signature: t.string({ required: true, description: 'The 64 bytes of the signature, in base64.' }),
  }),
});

builder.mutationFields((t) => ({
  signIn: t.field({
    type: Viewer,
    requires: null,
    args: { output: t.arg({ type: SignInOutput, required: true, description: "The wallet's answer." }) },
    description:
      'Signs a member in: the answer sets the cookie of the session, which opens this API to pages of this service. It lasts 7 days at most, and 12 hours without use. Needs no key. Errors: `invalid_request`, param `address`, `signedMessage` or `signature`; `authentication_error` where the wallet is no member of any merchant.',
    resolve: async (_root, { output }, context) => {
      const setCookie = cookieOf(context);
      const opened = await signIn(
        context.app,
        {
          address: output.address,
          signedMessage: fromBase64('signedMessage', output.signedMessage),
          signature: fromBase64('signature', output.signature),
        },
        context.requestOrigin,
      );
      setCookie(opened);
      return opened.caller;
    },
  }),
}));

function fromBase64(param: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return new Uint8Array(bytes);
  throw invalidRequest(param, `${param} must be base64.`);
}
