import { createPrivateKey, type KeyObject } from 'node:crypto';

/** The header of an Ed25519 private key in PKCS #8, before its 32 bytes (RFC 8410). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Creates the Ed25519 private key of a seed of 32 bytes. */
export function ed25519PrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
}
