import type { Address } from '@solana/kit';
import { decodeBase58, encodeBase58 } from '../base58/base58.ts';

// Every key of every transaction is spelled. Most come again and again, so they are remembered, in two bounded maps.
const MOST_REMEMBERED = 50_000;
const addresses = new Map<string, Address>();
const bytes = new Map<Address, Uint8Array>();

/** The address of 32 bytes. */
export function addressOf(key: Uint8Array): Address {
  const memo = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  const known = addresses.get(memo);
  if (known !== undefined) return known;
  const address = encodeBase58(key) as Address;
  if (addresses.size >= MOST_REMEMBERED) addresses.clear();
  addresses.set(memo, address);
  return address;
}

/** The 32 bytes of an address. Shared: not to be written to. */
export function addressBytes(address: Address): Uint8Array {
  const known = bytes.get(address);
  if (known !== undefined) return known;
  const decoded = decodeBase58(address);
  if (bytes.size >= MOST_REMEMBERED) bytes.clear();
  bytes.set(address, decoded);
  return decoded;
}
