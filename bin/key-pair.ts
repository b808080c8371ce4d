import { generateKeyPair } from '@solana/kit';

/** A new key pair of 64 bytes, private key and public key, in the order of `solana-keygen`. */
export async function newKeyPairBytes(): Promise<Uint8Array> {
  const { privateKey, publicKey } = await generateKeyPair(true);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey));
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  return Uint8Array.from([...pkcs8.subarray(-32), ...raw]);
}
