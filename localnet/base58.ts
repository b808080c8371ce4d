import type { Address } from '@solana/kit';
import bs58 from 'bs58';

// kit's codec does this with BigInt and takes four times as long; here it is done for every key of every
// transaction. Most keys come again and again, so they are remembered too, in two bounded maps.
const MOST_REMEMBERED = 50_000;
const addresses = new Map<string, Address>();
const bytes = new Map<Address, Uint8Array>();

export const encodeBase58 = bs58.encode;
export const decodeBase58 = bs58.decode;

/** The address of 32 bytes. */
export function addressOf(key: Uint8Array): Address {
  const memo = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  const known = addresses.get(memo);
  if (known !== undefined) return known;
  const address = bs58.encode(key) as Address;
  if (addresses.size >= MOST_REMEMBERED) addresses.clear();
  addresses.set(memo, address);
  return address;
}

/** The 32 bytes of an address. Shared: not to be written to. */
export function addressBytes(address: Address): Uint8Array {
  const known = bytes.get(address);
  if (known !== undefined) return known;
  const decoded = bs58.decode(address);
  if (bytes.size >= MOST_REMEMBERED) bytes.clear();
  bytes.set(address, decoded);
  return decoded;
}
