// JSON-RPC encodes addresses, signatures and instruction data in base 58, thousands of times per
// second. With one digit at a time, or with bigint, the encoding would take longer than all other
// work on them. Each step therefore converts four digits or three bytes, whose products are exact
// numbers. The local network imports this folder, and nothing else of dues.

import { ALPHABET, digitAt } from './alphabet.ts';
import { decodeLong, encodeLong } from './long-base58.ts';

const DIGITS_PER_STEP = 4;
const BYTES_PER_STEP = 3;
const PAIR_BASE = 58 ** 2;
const DIGITS_BASE = 58 ** DIGITS_PER_STEP;
const BYTES_BASE = 256 ** BYTES_PER_STEP;
/** The character code of `1`, the digit with the value 0. */
const ZERO = 49;
/** For more bytes or digits than this, `long-base58.ts` is faster. */
const LONG = 512;
/** All pairs of digits. A table of four digits would have 11 million entries. */
const PAIRS = Array.from({ length: 58 * 58 }, (_, n) => `${ALPHABET[Math.trunc(n / 58)]}${ALPHABET[n % 58]}`);

/** Encodes bytes in base 58. Each leading zero byte becomes a '1'. */
export function encodeBase58(bytes: Readonly<ArrayLike<number>>): string {
  const { length } = bytes;
  let zeros = 0;
  while (zeros < length && bytes[zeros] === 0) zeros++;
  if (length - zeros > LONG) return '1'.repeat(zeros) + encodeLong(Uint8Array.from(bytes).subarray(zeros));
  // Groups of digits, the least significant first.
  const limbs = limbsFor(length);
  let used = 0;
  for (let at = zeros; at < length; ) {
    // The first group has the bytes that do not fill a group of three.
    const count = (length - at) % BYTES_PER_STEP || BYTES_PER_STEP;
    const factor = 256 ** count;
    let carry = 0;
    for (const end = at + count; at < end; at++) carry = carry * 256 + (bytes[at] as number);
    for (let index = 0; index < used; index++) {
      const product = (limbs[index] as number) * factor + carry;
      carry = Math.floor(product / DIGITS_BASE);
      limbs[index] = product - carry * DIGITS_BASE;
    }
    // A group of bytes may exceed one group of digits.
    for (; carry > 0; carry = Math.floor(carry / DIGITS_BASE)) limbs[used++] = carry % DIGITS_BASE;
  }
  let text = '';
  for (let index = used - 1; index >= 0; index--) {
    const limb = limbs[index] as number;
    const high = Math.floor(limb / PAIR_BASE);
    text += (PAIRS[high] as string) + (PAIRS[limb - high * PAIR_BASE] as string);
  }
  // The most significant group may begin with zeros, which are not part of the number.
  let padding = 0;
  while (text.charCodeAt(padding) === ZERO) padding++;
  return '1'.repeat(zeros) + text.slice(padding);
}

/**
 * Decodes a text in base 58.
 *
 * @throws RangeError if a character is not in the alphabet
 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  let zeros = 0;
  while (zeros < length && text.charCodeAt(zeros) === ZERO) zeros++;
  if (length - zeros > LONG) return withZeros(zeros, decodeLong(text.slice(zeros)));
  // Groups of bytes, the least significant first. Each holds more than one group of digits.
  const limbs = limbsFor(length);
  let used = 0;
  for (let at = zeros; at < length; ) {
    const count = (length - at) % DIGITS_PER_STEP || DIGITS_PER_STEP;
    const factor = 58 ** count;
    let carry = 0;
    for (const end = at + count; at < end; at++) carry = carry * 58 + digitAt(text, at);
    for (let index = 0; index < used; index++) {
      const product = (limbs[index] as number) * factor + carry;
      carry = Math.floor(product / BYTES_BASE);
      limbs[index] = product - carry * BYTES_BASE;
    }
    if (carry > 0) limbs[used++] = carry;
  }
  const padded = new Uint8Array(used * BYTES_PER_STEP);
  for (let index = 0, end = padded.length; index < used; index++, end -= BYTES_PER_STEP) {
    const limb = limbs[index] as number;
    padded[end - 1] = limb;
    padded[end - 2] = limb >>> 8;
    padded[end - 3] = limb >>> 16;
  }
  let padding = 0;
  while (padded[padding] === 0) padding++;
  return withZeros(zeros, padded.subarray(padding));
}

function withZeros(zeros: number, significant: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(zeros + significant.length);
  bytes.set(significant, zeros);
  return bytes;
}

/**
 * Used by one call at a time. All products of a limb and a group are below 2^48, so they are exact.
 */
let reusedLimbs = new Float64Array(1_024);

function limbsFor(length: number): Float64Array {
  if (reusedLimbs.length < length) reusedLimbs = new Float64Array(length);
  return reusedLimbs;
}
