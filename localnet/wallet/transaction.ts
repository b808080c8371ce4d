import { encodeBase58 } from '../../src/base58/base58.ts';
import type { Instruction } from './instruction-texts.ts';
import type { Bytes } from './wallet-standard.ts';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
/** First byte of a version 0 message. Legacy messages have no version byte. */
const VERSION_0 = 0x80;
/** Set in the first byte of versioned messages only. */
const VERSIONED = 0x80;

/** A wire transaction that can be signed. */
export interface Transaction {
  readonly message: Bytes;
  readonly instructions: readonly Instruction[];
  /**
   * Returns the bytes with this signature in the signer's place.
   *
   * @throws Error if `signer` does not sign the transaction
   */
  withSignature(signer: string, signature: Bytes): Bytes;
}

/** @throws Error if the bytes are not a transaction of version 0 or legacy */
export function readTransaction(wire: Bytes): Transaction {
  const outer = new Reader(wire);
  const signatureCount = outer.count();
  const signaturesOffset = outer.offset;
  outer.skip(signatureCount * SIGNATURE_BYTES);
  const message = wire.slice(outer.offset);
  const inner = new Reader(message);
  const isVersioned = ((message[0] ?? 0) & VERSIONED) !== 0;
  if (isVersioned && inner.byte() !== VERSION_0) throw new Error('This transaction has an unknown version.');
  const signerCount = inner.byte();
  inner.skip(2);
  const addresses = inner.list(() => encodeBase58(inner.bytes(ADDRESS_BYTES)));
  inner.skip(ADDRESS_BYTES);
  const instructions = inner.list(() => {
    const addressAt = (index: number) => addresses[index] ?? '';
    return {
      program: addressAt(inner.byte()),
      accounts: [...inner.bytes(inner.count())].map(addressAt),
      data: inner.bytes(inner.count()),
    };
  });
  return {
    message,
    instructions,
    withSignature(signer, signature) {
      const index = addresses.indexOf(signer);
      if (index < 0 || index >= signerCount) throw new Error(`${signer} does not sign this transaction.`);
      const signed = wire.slice();
      signed.set(signature, signaturesOffset + index * SIGNATURE_BYTES);
      return signed;
    },
  };
}

/**
 * Reads bytes in order.
 *
 * @throws Error if the bytes end too early
 */
class Reader {
  readonly #bytes: Bytes;
  offset = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.offset++];
    if (byte === undefined) throw new Error('The transaction is incomplete.');
    return byte;
  }

  bytes(length: number): Bytes {
    this.skip(length);
    return this.#bytes.slice(this.offset - length, this.offset);
  }

  skip(length: number): void {
    this.offset += length;
    if (this.offset > this.#bytes.length) throw new Error('The transaction is incomplete.');
  }

  /** Reads a number in Solana's compact-u16: seven bits per byte, least significant first. */
  count(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.count() }, read);
  }
}
