import { ALPHABET, digitAt } from './alphabet.ts';

// Data of many bytes. Converting digit by digit takes time that grows with the square of the length:
// 10 KiB, the most that a program can pass to another one, take 30 ms, and a transaction may have 63
// of them. Here neighbouring parts are joined, or one is halved, level by level, so that the
// engine's multiplication and division of large numbers do most of the work: 10 KiB take 0.3 ms.

/** Digits per part: the most whose value is an exact number. */
const PART_DIGITS = 9;
const PART_BASE = 58n ** BigInt(PART_DIGITS);

/** The bytes of a number that is written in base 58, without leading zero bytes. */
export function decodeLong(text: string): Uint8Array<ArrayBuffer> {
  let parts: bigint[] = [];
  for (let end = text.length; end > 0; end -= PART_DIGITS) parts.push(BigInt(partAt(text, end)));
  for (let base = PART_BASE; parts.length > 1; base *= base) {
    parts = Array.from({ length: Math.ceil(parts.length / 2) }, (_, pair) => {
      const low = parts[2 * pair] as bigint;
      const high = parts[2 * pair + 1];
      return high === undefined ? low : high * base + low;
    });
  }
  const digits = (parts[0] ?? 0n).toString(16);
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}

/** Writes a number, given as its bytes, in base 58, without leading zero digits. */
export function encodeLong(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const number = BigInt(`0x${hex}`);
  const bases = [PART_BASE];
  for (let base = PART_BASE ** 2n; base <= number; base *= base) bases.push(base);
  let parts = [number];
  for (const base of bases.toReversed()) parts = parts.flatMap((part) => halves(part, base));
  return parts.map(digitsOf).join('').replace(/^1+/, '');
}

function halves(part: bigint, base: bigint): [bigint, bigint] {
  const high = part / base;
  // A product and a difference take less time than a second division.
  return [high, part - high * base];
}

function partAt(text: string, end: number): number {
  let value = 0;
  for (let at = Math.max(0, end - PART_DIGITS); at < end; at++) value = value * 58 + digitAt(text, at);
  return value;
}

function digitsOf(part: bigint): string {
  let digits = '';
  for (let rest = Number(part); digits.length < PART_DIGITS; rest = Math.floor(rest / 58)) {
    digits = (ALPHABET[rest % 58] as string) + digits;
  }
  return digits;
}
