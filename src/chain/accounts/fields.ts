import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { encodeBase58 } from '../../base58/base58.ts';

// Reads packed little-endian fields in place. Anyone may put any number into an account, and a
// column of 64 bits holds only half of the u64 numbers. So every u64 is held here, where it is
// read, and only this file reads one.

const ADDRESS_BYTES = 32;
/** The largest number that a column holds. */
export const MAX_NUMBER = 2n ** 63n - 1n;

export function addressAt({ buffer, byteOffset }: ReadonlyUint8Array, at: number): Address {
  return encodeBase58(new Uint8Array(buffer as ArrayBuffer, byteOffset + at, ADDRESS_BYTES)) as Address;
}

export function u32At(data: ReadonlyUint8Array, at: number): number {
  return viewOf(data).getUint32(at, true);
}

/** A u64 of terms; null beyond the column: no plan of dues has such terms. */
export function termAt(data: ReadonlyUint8Array, at: number): bigint | null {
  return termOf(viewOf(data).getBigUint64(at, true));
}

/** A decoded u64 of terms; null beyond the column. */
export function termOf(number: bigint): bigint | null {
  return number > MAX_NUMBER ? null : number;
}

/**
 * A u64 that only has to be large enough for an amount of ours, such as a balance. A larger one
 * than the column holds counts as the largest that it holds.
 */
export function cappedAt(data: ReadonlyUint8Array, at: number): bigint {
  return capped(viewOf(data).getBigUint64(at, true));
}

/** A number, or the largest that a column holds. */
export function capped(number: bigint): bigint {
  return number > MAX_NUMBER ? MAX_NUMBER : number;
}

export function i64At(data: ReadonlyUint8Array, at: number): bigint {
  return viewOf(data).getBigInt64(at, true);
}

function viewOf({ buffer, byteOffset, byteLength }: ReadonlyUint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
