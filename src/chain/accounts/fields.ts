import type { Address, ReadonlyUint8Array } from '@solana/kit';
import { encodeBase58 } from '../../../base58/base58.ts';

// Reads packed little-endian fields in place.

const ADDRESS_BYTES = 32;

export function addressAt({ buffer, byteOffset }: ReadonlyUint8Array, at: number): Address {
  return encodeBase58(new Uint8Array(buffer as ArrayBuffer, byteOffset + at, ADDRESS_BYTES)) as Address;
}

export function u32At(data: ReadonlyUint8Array, at: number): number {
  return viewOf(data).getUint32(at, true);
}

export function u64At(data: ReadonlyUint8Array, at: number): bigint {
  return viewOf(data).getBigUint64(at, true);
}

export function i64At(data: ReadonlyUint8Array, at: number): bigint {
  return viewOf(data).getBigInt64(at, true);
}

function viewOf({ buffer, byteOffset, byteLength }: ReadonlyUint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
