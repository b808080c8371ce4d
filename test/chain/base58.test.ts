import bs58 from 'bs58';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase58, encodeBase58 } from '../../src/base58/base58.ts';

const anyBytes = fc
  .tuple(fc.nat(5), fc.uint8Array({ maxLength: 400 }))
  .map(([zeros, bytes]) => Uint8Array.from([...new Uint8Array(zeros), ...bytes]));

test('encodes bytes as other libraries do, and decodes them again', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const text = encodeBase58(bytes);
      expect(text).toBe(bs58.encode(bytes));
      expect(decodeBase58(text)).toEqual(bytes);
    }),
    { numRuns: 2_000 },
  );
});

test('converts long data as other libraries do', () => {
  const longBytes = fc.tuple(fc.nat(3), fc.uint8Array({ minLength: 400, maxLength: 3_000, size: 'max' }));
  fc.assert(
    fc.property(longBytes, ([zeros, significant]) => {
      const bytes = Uint8Array.from([...new Uint8Array(zeros), ...significant]);
      const text = encodeBase58(bytes);
      expect(text).toBe(bs58.encode(bytes));
      expect(decodeBase58(text)).toEqual(bytes);
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['no bytes', new Uint8Array(0)],
  ['an address of zeros', new Uint8Array(32)],
  ['the largest address', new Uint8Array(32).fill(255)],
  ['a zero', Uint8Array.of(0)],
  ['a one after zeros', Uint8Array.of(0, 0, 1)],
  ['many zeros', new Uint8Array(2_000)],
  ['a power of two with many bytes', Uint8Array.of(1, ...new Uint8Array(2_000))],
  ['many large bytes', new Uint8Array(2_000).fill(255)],
])('%s', (_, bytes) => {
  expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
  expect(decodeBase58(bs58.encode(bytes))).toEqual(bytes);
});

test.each(['0', 'abcO', 'I', 'l', 'a b', 'ä', '😀', '-', `${'z'.repeat(2_000)}0`])(
  '%j is not base 58',
  (text) => {
    expect(() => decodeBase58(text)).toThrow(RangeError);
  },
);
