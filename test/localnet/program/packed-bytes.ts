import { type Address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit';

const addressEncoder = getAddressEncoder();

/** A field of a packed layout: an address, a u64 or i64, one byte, or raw bytes. */
export type Field = Address | bigint | number | ReadonlyUint8Array;

function fieldBytes(field: Field): ReadonlyUint8Array {
  if (typeof field === 'string') return addressEncoder.encode(field);
  if (typeof field === 'number') return Uint8Array.of(field);
  if (typeof field !== 'bigint') return field;
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, field));
  return bytes;
}

/**
 * Encodes the fields in order, little-endian, as the program's accounts, data and events have them.
 */
export function packed(...fields: Field[]): Uint8Array {
  return new Uint8Array(Buffer.concat(fields.map((field) => Uint8Array.from(fieldBytes(field)))));
}

/** Encodes a text with a fixed length, padded with zeros. */
export function padded(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(Buffer.from(text));
  return bytes;
}

const EVENT_TAG = Uint8Array.from([0xe4, 0x45, 0xa5, 0x2e, 0x51, 0xcb, 0x9a, 0x1d]);

/** Encodes an event as an indexer reads it: the tag, the kind, the fields. */
export function event(kind: number, ...fields: Field[]): Uint8Array {
  return packed(EVENT_TAG, kind, ...fields);
}
