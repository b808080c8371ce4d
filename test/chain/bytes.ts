import { type Address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';

/** A field of a packed layout: an address, a u64 or i64, one byte, or raw bytes. */
type Field = Address | bigint | number | ReadonlyUint8Array;

/** The fields in order, little-endian: the IDL's layout of accounts, data and events. */
export function packed(...fields: Field[]): Uint8Array {
  return new Uint8Array(Buffer.concat(fields.map(fieldBytes)));
}

function fieldBytes(field: Field): Uint8Array {
  if (typeof field === 'string') return new Uint8Array(getAddressEncoder().encode(field));
  if (typeof field === 'number') return Uint8Array.of(field);
  if (typeof field !== 'bigint') return new Uint8Array(field);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, field));
  return bytes;
}

/** Text of a fixed length, padded with zeros. */
export function padded(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(Buffer.from(text));
  return bytes;
}

/** An address made from a number, so that fields cannot be confused. */
export function addressOf(number: number): Address {
  return ADDRESSES[number] as Address;
}

const ADDRESSES = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
];
