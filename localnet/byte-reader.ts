/** Reads a wire format front to back; running past the end or a length that is not written canonically throws. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
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

  bytes(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** Solana's compact length: seven bits a byte, at most three bytes, no longer than it need be. */
  shortU16(): number {
    let value = 0;
    for (let index = 0; index < 3; index++) {
      const byte = this.u8();
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) !== 0) continue;
      if ((byte === 0 && index > 0) || value > 0xffff) break;
      return value;
    }
    throw new RangeError('a length is not written as it must be');
  }

  /** `count` items, each read by `read`. */
  list<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }

  #take(length: number): number {
    const start = this.#at;
    if (length > this.remaining) throw new RangeError('the bytes end too early');
    this.#at += length;
    return start;
  }
}
