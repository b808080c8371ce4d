import fc from 'fast-check';
import { expect, test } from 'vitest';
import { authorityFacts, subscriptionFacts } from '../../../src/chain/accounts/account-facts.ts';
import {
  AccountLayoutError,
  decodeAuthority,
  decodeSubscription,
} from '../../../src/chain/accounts/accounts.ts';

/**
 * Random bytes of an account of this kind, perhaps longer than the current layout, inside a larger
 * buffer.
 */
const accountBytes = (discriminator: number, bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes + 20 }).map((data) => {
    data[0] = discriminator;
    const buffer = new Uint8Array(data.length + 7);
    buffer.set(data, 7);
    return buffer.subarray(7);
  });

test('the facts of a subscription equal those of its full decoding', () => {
  fc.assert(
    fc.property(accountBytes(4, 155), (data) => {
      expect(decodeSubscription(data)).toMatchObject(subscriptionFacts(data));
    }),
  );
});

test('the facts of an authority equal those of its full decoding', () => {
  fc.assert(
    fc.property(accountBytes(0, 106), (data) => {
      expect(decodeAuthority(data)).toMatchObject(authorityFacts(data));
    }),
  );
});

test('an account of another kind, or too short, is refused', () => {
  expect(authorityFacts(new Uint8Array(106))).toEqual({ initId: 0n });
  expect(() => subscriptionFacts(new Uint8Array(155))).toThrow(AccountLayoutError);
  expect(() => authorityFacts(new Uint8Array(105))).toThrow(AccountLayoutError);
});
