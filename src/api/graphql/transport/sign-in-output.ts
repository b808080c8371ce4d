import type { SignedMessage } from '../../../domain/accounts/sign-in/verify-signed-message.ts';
import { invalidRequest } from '../../../errors.ts';
import { builder } from '../builder.ts';

export const SignInOutput = builder.inputType('SignInOutput', {
  description: 'The output of a wallet’s `solana:signIn` feature.',
  fields: (t) => ({
    address: t.string({
      required: true,
      description: 'Address of the account that signed: `account.address`, base58.',
    }),
    signedMessage: t.string({
      required: true,
      description: 'Bytes that were signed: `signedMessage`, in base64.',
    }),
    signature: t.string({
      required: true,
      description: 'The 64 bytes of the signature: `signature`, in base64.',
    }),
  }),
});

/**
 * @throws BillingError invalid_request, param `signedMessage` or `signature`, if it is not base64
 */
export function signedMessageOf({
  address,
  signedMessage,
  signature,
}: typeof SignInOutput.$inferInput): SignedMessage {
  return {
    address,
    signedMessage: fromBase64('signedMessage', signedMessage),
    signature: fromBase64('signature', signature),
  };
}

function fromBase64(param: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') === text) return new Uint8Array(bytes);
  throw invalidRequest(param, `${param} must be base64.`);
}
