import type { Address } from '@solana/kit';
import { decodeBase58, encodeBase58 } from '../src/base58/base58.ts';

// Keys of transactions repeat, so their encodings are cached in two bounded maps.
const MAX_CACHED = 50_000;
const addresses = new Map<string, Address>();
const bytes = new Map<Address, Uint8Array>();

/** Encodes 32 bytes as an address. */
export function addressOf(key: Uint8Array): Address {
  const cacheKey = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  const cached = addresses.get(cacheKey);
  if (cached !== undefined) return cached;
  const address = encodeBase58(key) as Address;
  if (addresses.size >= MAX_CACHED) addresses.clear();
  addresses.set(cacheKey, address);
  return address;
}

/** The 32 bytes of an address. The array is shared and must not be written to. */
export function addressBytes(address: Address): Uint8Array {
  const cached = bytes.get(address);
  if (cached !== undefined) return cached;
  const decoded = decodeBase58(address);
  if (bytes.size >= MAX_CACHED) bytes.clear();
  bytes.set(address, decoded);
  return decoded;
}
