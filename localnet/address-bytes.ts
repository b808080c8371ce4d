import type { Address } from '@solana/kit';
import { decodeBase58, encodeBase58 } from '../base58/base58.ts';

// Keys of transactions repeat, so their encodings are cached in two bounded maps.
const MAX_REMEMBERED = 50_000;
const addresses = new Map<string, Address>();
const bytes = new Map<Address, Uint8Array>();

/** Encodes 32 bytes as an address. */
export function addressOf(key: Uint8Array): Address {
  const memo = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  const known = addresses.get(memo);
  if (known !== undefined) return known;
  const address = encodeBase58(key) as Address;
  if (addresses.size >= MAX_REMEMBERED) addresses.clear();
  addresses.set(memo, address);
  return address;
}

/** The 32 bytes of an address. The array is shared and must not be written to. */
export function addressBytes(address: Address): Uint8Array {
  const known = bytes.get(address);
  if (known !== undefined) return known;
  const decoded = decodeBase58(address);
  if (bytes.size >= MAX_REMEMBERED) bytes.clear();
  bytes.set(address, decoded);
  return decoded;
}
