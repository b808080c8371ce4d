import {
  type Address,
  getPublicKeyFromAddress,
  isSignatureBytes,
  type SignatureBytes,
  verifySignature,
} from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { BillingError, invalidRequest } from '../../../errors.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import { SIGN_IN_PURPOSES } from './make-sign-in-input.ts';
import { firstDifference, nonceOf, type SignInFields, signInMessage } from './sign-in-message.ts';

/** The output of a wallet's `solana:signIn`. */
export interface SignedMessage {
  /** Address of the account that signed. Base58. */
  readonly address: string;
  /** The bytes that the wallet signed. */
  readonly signedMessage: Uint8Array;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

/** A nonce that a sign-in has used is stored under this prefix for one sign-up. */
const FOR_SIGN_UP = 'sign-up:';

/** The wallet that signed, and the message. */
interface Verified {
  readonly wallet: Address;
  readonly fields: SignInFields;
}

/**
 * Verifies that the wallet signed the requested message in time and for the first time. The nonce
 * is deleted even if the verification fails.
 *
 * @throws BillingError invalid_request, param `address`, `signedMessage` or `signature`
 */
export function verifySignedMessage(
  ctx: Pick<AppContext, 'db' | 'wallClock'>,
  signed: SignedMessage,
): Promise<Verified> {
  return verify(ctx, signed, ['']);
}

/**
 * Verifies the message of a sign-up, also one that `storeForSignUp` has stored. Returns the wallet.
 *
 * @throws BillingError as `verifySignedMessage`
 */
export async function verifyForSignUp(
  ctx: Pick<AppContext, 'db' | 'wallClock'>,
  signed: SignedMessage,
): Promise<Address> {
  return (await verify(ctx, signed, ['', FOR_SIGN_UP])).wallet;
}

/**
 * Verifies the message of a sign-in to the customer portal. Returns the wallet.
 *
 * @throws BillingError as `verifySignedMessage`
 */
export async function verifyForPortal(
  ctx: Pick<AppContext, 'db' | 'wallClock'>,
  signed: SignedMessage,
): Promise<Address> {
  return (await verify(ctx, signed, [SIGN_IN_PURPOSES.portal.prefix])).wallet;
}

/** Stores a verified message for one sign-up until it expires. */
export async function storeForSignUp(
  { db }: Pick<AppContext, 'db'>,
  { fields }: Pick<Verified, 'fields'>,
): Promise<void> {
  const { nonce, expirationTime } = fields;
  const expiresAt = new Date(expirationTime);
  await db.signInNonce.create({
    data: { nonce: `${FOR_SIGN_UP}${nonce}`, fields: { ...fields }, expiresAt },
  });
}

async function verify(
  { db, wallClock }: Pick<AppContext, 'db' | 'wallClock'>,
  { address, signedMessage, signature }: SignedMessage,
  prefixes: readonly string[],
): Promise<Verified> {
  const wallet = validAddress('address', address);
  const message = asText(signedMessage);
  const fields = await takeNonce(db, nonceOf(message), prefixes);
  if (!fields) {
    throw invalidRequest('signedMessage', 'The nonce is unknown or was already used: request a new one.');
  }
  const requested = signInMessage({ ...fields, address: fields.address ?? wallet });
  const difference = firstDifference(message, requested);
  if (difference) {
    const { found, expected } = difference;
    throw invalidRequest('signedMessage', `The message contains \`${found}\` instead of \`${expected}\`.`);
  }
  if (fields.address !== undefined && fields.address !== wallet) {
    throw invalidRequest(
      'address',
      `The account must be ${fields.address}, for which the message was created.`,
    );
  }
  if (wallClock.now() >= new Date(fields.expirationTime)) {
    throw invalidRequest('signedMessage', 'The message has expired: request a new one.');
  }
  if (!isSignatureBytes(signature) || !(await isSigned(wallet, signedMessage, signature))) {
    throw invalidRequest('signature', `The signature of ${wallet} does not match this message.`);
  }
  return { wallet, fields };
}

/** Deletes the nonce and returns its fields. Of two concurrent calls only one gets them. */
async function takeNonce(
  db: AppContext['db'],
  nonce: string | undefined,
  prefixes: readonly string[],
): Promise<SignInFields | undefined> {
  if (nonce === undefined) return undefined;
  const stored = prefixes.map((prefix) => `${prefix}${nonce}`);
  const [deleted] = await db.$queryRaw<{ fields: SignInFields }[]>`
    DELETE FROM "SignInNonce" WHERE "nonce" = ANY (${stored}) RETURNING "fields"`;
  return deleted?.fields;
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
