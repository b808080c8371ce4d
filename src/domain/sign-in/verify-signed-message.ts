import {
  type Address,
  getPublicKeyFromAddress,
  isSignatureBytes,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { BillingError, invalidRequest } from '../../errors.ts';
import { validAddress } from '../merchant/valid-text.ts';
import { claimedNonce, firstDifference, type SignInFields, signInMessage } from './sign-in-message.ts';

/** What a wallet answers `solana:signIn` with. */
export interface SignedMessage {
  /** Address of the account that signed. Base58. */
  readonly address: string;
  /** The bytes that the wallet signed. */
  readonly signedMessage: Uint8Array;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

/**
 * The wallet that signed, if it signed what it was asked to, in time, and nobody has shown an answer to that before. The
 * nonce is spent whatever comes of it.
 *
 * @throws BillingError invalid_request, param `address`, `signedMessage` or `signature`
 */
export async function verifySignedMessage(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { address, signedMessage, signature }: SignedMessage,
): Promise<Address> {
  const wallet = validAddress('address', address);
  const message = asText(signedMessage);
  const fields = await spendNonce(db, claimedNonce(message));
  if (!fields) {
    throw invalidRequest('signedMessage', 'The nonce is unknown, or was used before: ask for another one.');
  }
  const wanted = signInMessage({ ...fields, address: fields.address ?? wallet });
  const difference = firstDifference(message, wanted);
  if (difference) {
    const { found, wanted } = difference;
    throw invalidRequest('signedMessage', `The message says \`${found}\` where it must say \`${wanted}\`.`);
  }
  if (fields.address !== undefined && fields.address !== wallet) {
    throw invalidRequest('address', `The account that was asked is ${fields.address}.`);
  }
  if (clock.now() >= new Date(fields.expirationTime)) {
    throw invalidRequest('signedMessage', 'The message has expired: ask for another one.');
  }
  if (!isSignatureBytes(signature) || !(await isSigned(wallet, signedMessage, signature))) {
    throw invalidRequest('signature', `The signature is not one of ${wallet} on this message.`);
  }
  return wallet;
}

/** Of two who show the same nonce at once, one gets its fields. */
async function spendNonce(
  db: AppContext['db'],
  nonce: string | undefined,
): Promise<SignInFields | undefined> {
  if (nonce === undefined) return undefined;
  const [spent] = await db.$queryRaw<{ fields: SignInFields }[]>`
    DELETE FROM "SignInNonce" WHERE "nonce" = ${nonce} RETURNING "fields"`;
  return spent?.fields;
}

async function isSigned(wallet: Address, message: Uint8Array, signature: SignatureBytes): Promise<boolean> {
  return verifySignature(await getPublicKeyFromAddress(wallet), signature, message);
}

function asText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new BillingError('invalid_request', 'The message is not text in UTF-8.', 'signedMessage', {
      cause,
    });
  }
}
