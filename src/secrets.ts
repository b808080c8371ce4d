import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { ed25519PrivateKey } from './ed25519-key.ts';
import type { Environment } from './generated/prisma/client.ts';

// Layout of encrypted secrets: version (1 byte), nonce (12), tag (16), ciphertext.
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The stored hash of an API key, by which it is found. */
export function hashApiKey(secretKey: Uint8Array, apiKey: string): Buffer<ArrayBuffer> {
  return createHmac('sha256', derivedKey(secretKey, 'api key hash')).update(apiKey).digest();
}

/** The stored hash of a member-session cookie, by which it is found. */
export function hashSessionToken(secretKey: Uint8Array, token: string): Buffer<ArrayBuffer> {
  return createHmac('sha256', derivedKey(secretKey, 'session token hash')).update(token).digest();
}

/** The stored hash of a network address, by which its requests are found. */
export function hashNetwork(secretKey: Uint8Array, network: string): Buffer<ArrayBuffer> {
  return createHmac('sha256', derivedKey(secretKey, 'network hash')).update(network).digest();
}

/**
 * The stored hash of the token of a portal session or of a link into the portal, or the mark of a
 * browser that requested a link.
 */
export function hashPortalToken(
  secretKey: Uint8Array,
  kind: 'session' | 'link' | 'request',
  token: string,
): Buffer<ArrayBuffer> {
  return createHmac('sha256', derivedKey(secretKey, `portal ${kind} hash`))
    .update(token)
    .digest();
}

/** The value of a session cookie, or the token of a link: 32 random bytes. */
export function generateSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The 32 bytes of the address that names a refund on chain, for the refund with this index among
 * those of its payment. A database that lost the refund gives it the same reference again, so that
 * its transfer is found before it is sent once more.
 */
export function refundReference(secretKey: Uint8Array, paymentId: string, index: number): Buffer {
  return createHmac('sha256', derivedKey(secretKey, 'refund reference'))
    .update(`${paymentId} ${index}`)
    .digest();
}

const ID_BYTES = 16;

/** Signs the id of a row (a UUID), for a link that cannot be guessed or altered. */
export function signId(secretKey: Uint8Array, use: string, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, signatureOfId(secretKey, use, bytes)]).toString('base64url');
}

/**
 * Returns the id in a token of `signId`; undefined for any other text, or a token for another use.
 */
export function openSignedId(secretKey: Uint8Array, use: string, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Compared as a whole, because decoding ignores characters outside base64url.
  if (bytes.length !== 2 * ID_BYTES || bytes.toString('base64url') !== token) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), signatureOfId(secretKey, use, id))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function signatureOfId(secretKey: Uint8Array, use: string, id: Uint8Array): Buffer {
  return createHmac('sha256', derivedKey(secretKey, `signed id: ${use}`))
    .update(id)
    .digest()
    .subarray(0, ID_BYTES);
}

/** An Ed25519 signature and its public key, both in base64url. */
export interface Seal {
  readonly publicKey: string;
  readonly signature: string;
}

/** Signs a text, so that anyone can verify that this service wrote it. */
export function seal(secretKey: Uint8Array, use: string, text: string): Seal {
  const key = ed25519PrivateKey(derivedKey(secretKey, `seal: ${use}`).export());
  const { x: publicKey = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey, signature: sign(null, Buffer.from(text), key).toString('base64url') };
}

/** Whether the key signed this text. False if `publicKey` is not a valid key. */
export function isSealed({ publicKey, signature }: Seal, text: string): boolean {
  // Decoding ignores some bits and characters. Only the canonical encoding is accepted.
  const isCanonical = [publicKey, signature].every(
    (part) => Buffer.from(part, 'base64url').toString('base64url') === part,
  );
  if (!isCanonical) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  } catch (error) {
    // Node throws an error with a code for an invalid key.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** Encrypts with AES-256-GCM and a random nonce. */
export function encryptSecret(secretKey: Uint8Array, secret: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(secretKey, 'secret encryption'), nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws Error if the secret was changed, or encrypted with another key */
export function decryptSecret(secretKey: Uint8Array, encrypted: Uint8Array): string {
  const bytes = Buffer.from(encrypted);
  if (bytes[0] !== VERSION) throw new Error(`unknown version of an encrypted secret: ${bytes[0]}`);
  const tagAt = 1 + NONCE_BYTES;
  const ciphertextAt = tagAt + TAG_BYTES;
  const key = derivedKey(secretKey, 'secret encryption');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, tagAt), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(tagAt, ciphertextAt));
  return decipher.update(bytes.subarray(ciphertextAt), undefined, 'utf8') + decipher.final('utf8');
}

/**
 * Generates a webhook secret in the format of Standard Webhooks: `whsec_` and base64 of 32 random
 * bytes.
 */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * Generates an API key that shows its environment: `sk_test_...` or `sk_live_...`, with 32 random
 * bytes.
 */
export function generateApiKey(environment: Environment): string {
  return `${apiKeyPrefix(environment)}${randomBytes(32).toString('base64url')}`;
}

/** The first characters of all keys of an environment. */
export function apiKeyPrefix(environment: Environment): string {
  return environment === 'TEST' ? 'sk_test_' : 'sk_live_';
}

const derivedKeys = new WeakMap<Uint8Array, Map<string, KeyObject>>();

// Each use has its own key, derived from the one secret in the configuration: one key does not
// reveal another. Derived once, because every request needs it.
function derivedKey(secretKey: Uint8Array, use: string): KeyObject {
  const derived = derivedKeys.get(secretKey) ?? new Map<string, KeyObject>();
  derivedKeys.set(secretKey, derived);
  const key = derived.get(use) ?? derive(secretKey, use);
  derived.set(use, key);
  return key;
}

function derive(secretKey: Uint8Array, use: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secretKey, '', `dues: ${use}`, 32)));
}
