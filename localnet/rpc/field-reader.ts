import { type Address, getAddressDecoder } from '@solana/kit';

const addressDecoder = getAddressDecoder();
const utf8 = new TextDecoder();

/** Reads little-endian fields one after the other. Throws RangeError where the bytes end before the field does. */
export class FieldReader {
  #view: DataView;
  #data: Uint8Array;
  #offset = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }
  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }
  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }
  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }
  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }
  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }
  bool(): boolean {
    return this.u8() === 1;
  }
  address(): Address {
    return addressDecoder.decode(this.#data, this.#take(32));
  }
  /** 32 zero bytes stand for nobody. */
  optionalAddress(): Address | null {
    const start = this.#take(32);
    const none = this.#data.subarray(start, start + 32).every((byte) => byte === 0);
    return none ? null : addressDecoder.decode(this.#data, start);
  }
  string(): string {
    const length = this.u32();
    const start = this.#take(length);
    return utf8.decode(this.#data.subarray(start, start + length));
  }

  #take(bytes: number): number {
    const start = this.#offset;
    if (start + bytes > this.#data.length) throw new RangeError('the bytes end too soon');
    this.#offset += bytes;
    return start;
  }
}
