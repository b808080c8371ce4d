import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedId } from '../../src/db/derived-id.ts';

test('has the version, the variant and the time of RFC 9562', () => {
  const id = derivedId(1_771_000_000n, 'TEST', 'payment');
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(1_771_000_000_000);
});

test('a fact has the same id in every release', () => {
  expect(derivedId(1_771_000_000n, 'TEST', 'Address1', 1_770_000_000n, 'payment')).toBe(
    '019c57d3-6e00-729f-850c-529b195bc4da',
  );
});

const parts = fc.array(fc.oneof(fc.string(), fc.bigInt(), fc.integer()), { maxLength: 5 });
const facts = fc.tuple(fc.bigInt({ min: 0n, max: 4_000_000_000n }), parts);

test('the same fact has the same id, and another fact has another id', () => {
  fc.assert(
    fc.property(facts, facts, ([at, some], [otherAt, others]) => {
      const isSame =
        at === otherAt && JSON.stringify(some.map(String)) === JSON.stringify(others.map(String));
      expect(derivedId(at, ...some) === derivedId(otherAt, ...others)).toBe(isSame);
    }),
  );
});

test('parts are told apart', () => {
  expect(derivedId(1n, 'ab', 'c')).not.toBe(derivedId(1n, 'a', 'bc'));
});
