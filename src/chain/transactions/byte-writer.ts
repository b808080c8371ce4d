import type { Address, Blockhash } from '@solana/kit';
import { decodeBase58 } from '../../base58/base58.ts';

const KEY_BYTES = 32;
/** Enough for an instruction. The buffer grows for a transaction. */
const INITIAL_BYTES = 512;

/** Writes packed little-endian fields. */
export class ByteWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#view.setUint16(at, value, true);
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
  }

  /** Writes seven bits per byte, lowest first; the eighth bit marks a following byte. */
  compactU16(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>= 7) this.u8((rest & 0x7f) | 0x80);
    this.u8(rest);
  }

  /** @throws RangeError if it does not have 32 bytes */
  key(address: Address | Blockhash): void {
    const key = decodeBase58(address);
    if (key.length !== KEY_BYTES) throw new RangeError(`${address} has ${key.length} bytes instead of 32`);
    this.bytes(key);
  }

  bytes(source: ArrayLike<number>): void {
    const at = this.#reserve(source.length);
    this.#bytes.set(source, at);
  }

  /** The bytes written so far. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Reserves bytes at the end and returns their offset. It may replace the buffer. */
  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }
}
