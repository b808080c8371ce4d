import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Environment } from './generated/prisma/client.ts';

// Layout of what encryptSecret writes: version (1 byte), nonce (12), tag (16), ciphertext.
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What is stored of an API key, and looked it up by. */
export function hashApiKey(secretKey: Uint8Array, apiKey: string): Buffer<ArrayBuffer> {
  return createHmac('sha256', derivedKey(secretKey, 'api key hash')).update(apiKey).digest();
}

/** What is stored of a dashboard session's cookie, and looked it up by. */
export function hashSessionToken(secretKey: Uint8Array, token: string): Buffer<ArrayBuffer> {
  return createHmac('sha256', derivedKey(secretKey, 'session token hash')).update(token).digest();
}

/** The value of a dashboard session's cookie: 32 random bytes. */
export function generateSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

/** AES-256-GCM under a random nonce. */
export function encryptSecret(secretKey: Uint8Array, secret: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(secretKey, 'secret encryption'), nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws where it was changed, or encrypted under another key */
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

/** A webhook secret as Standard Webhooks words them: `whsec_` and base64 of 32 random bytes. */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** An API key that says which environment it opens: `sk_test_...` or `sk_live_...`, 32 random bytes. */
export function generateApiKey(environment: Environment): string {
  return `${apiKeyPrefix(environment)}${randomBytes(32).toString('base64url')}`;
}

/** How every key of an environment begins. */
export function apiKeyPrefix(environment: Environment): string {
  return environment === 'TEST' ? 'sk_test_' : 'sk_live_';
}

const derivedKeys = new WeakMap<Uint8Array, Map<string, KeyObject>>();

// One secret in the configuration, and a key of its own for each use: neither helps against the other. Derived once, for
// every request asks.
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
