import { getBase58Encoder } from '@solana/kit';

const MAX_REMEMBERED = 20_000;
const base58 = getBase58Encoder();
const remembered = new Map<string, Uint8Array>();

/**
 * The bytes that a base58 string of the network stands for. Every update carries the same few addresses and
 * hashes again and again, and base58 is the dearest part of encoding one, so they are remembered.
 */
export function bytesOf(text: string): Uint8Array {
  const known = remembered.get(text);
  if (known) return known;
  const bytes = base58.encode(text) as Uint8Array;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, bytes);
  return bytes;
}

/** The bytes, or undefined where the text is not base58. For what a client sent: remembers nothing. */
export function parseBase58(text: string): Uint8Array | undefined {
  try {
    return base58.encode(text) as Uint8Array;
  } catch {
    return undefined;
  }
}
