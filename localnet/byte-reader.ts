import type { Address } from '@solana/kit';
import { addressOf } from './address-bytes.ts';

const KEY_BYTES = 32;
const utf8 = new TextDecoder();

/**
 * Reads little-endian fields in order.
 *
 * @throws RangeError if the bytes end before a field does, or a length is not in its shortest form
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#offset = offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  bool(): boolean {
    return this.u8() === 1;
  }

  address(): Address {
    return addressOf(this.bytes(KEY_BYTES));
  }

  /** 32 zero bytes mean null. */
  optionalAddress(): Address | null {
    const key = this.bytes(KEY_BYTES);
    return key.every((byte) => byte === 0) ? null : addressOf(key);
  }

  /** A string with a length prefix. */
  string(): string {
    return utf8.decode(this.bytes(this.u32()));
  }

  bytes(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Solana's compact length: seven bits per byte, at most three bytes, in the shortest form. */
  shortU16(): number {
    let value = 0;
    for (let index = 0; index < 3; index++) {
      const byte = this.u8();
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) !== 0) continue;
      if ((byte === 0 && index > 0) || value > 0xffff) break;
      return value;
    }
    throw new RangeError('a length is not in its shortest form, or exceeds 65535');
  }

  /** `count` items, each read by `read`. */
  list<T>(count: number, read: () => T): T[] {
    const items: T[] = [];
    for (let index = 0; index < count; index++) items.push(read());
    return items;
  }

  #take(length: number): number {
    const start = this.#offset;
    if (length > this.remaining) throw new RangeError('the bytes end too early');
    this.#offset += length;
    return start;
  }
}
