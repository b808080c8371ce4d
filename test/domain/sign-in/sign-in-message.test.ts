import { createSignInMessageText, parseSignInMessageText } from '@solana/wallet-standard-util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  firstDifference,
  nonceOf,
  type SignInFields,
  signInMessage,
} from '../../../src/domain/accounts/sign-in/sign-in-message.ts';

const FIELDS: SignInFields & { address: string } = {
  domain: 'dues.example',
  address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  statement: 'Sign in.',
  uri: 'https://dues.example',
  version: '1',
  chainId: 'solana:mainnet',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: '2026-12-01T00:00:00.000Z',
  expirationTime: '2026-12-01T00:05:00.000Z',
};

const word = fc.stringMatching(/^[\w:./-]{1,40}$/);
const anyFields = fc.record({
  domain: word,
  address: word,
  statement: fc.stringMatching(/^[\w .]{0,39}\w$/),
  uri: word,
  version: fc.constant('1' as const),
  chainId: word,
  nonce: fc.stringMatching(/^[0-9a-f]{32}$/),
  issuedAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  expirationTime: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
});

it('the message equals the one that wallets build from the same fields', () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const message = signInMessage(fields);
      expect(message).toBe(createSignInMessageText(fields));
      expect(parseSignInMessageText(message)).toMatchObject(fields);
      expect(nonceOf(message)).toBe(fields.nonce);
    }),
  );
});

it('a message that differs in any field is detected, with the difference', () => {
  const message = signInMessage(FIELDS);
  expect(firstDifference(message, message)).toBeUndefined();
  for (const [field, value] of Object.entries(FIELDS)) {
    const other = signInMessage({ ...FIELDS, [field]: `${value}x` });
    expect(firstDifference(other, message), field).toEqual({
      found: expect.stringContaining(`${value}x`),
      expected: expect.stringContaining(value),
    });
  }
});

it.each([
  ['an additional line', (text: string) => `${text}\nResources:\n- https://evil.example`],
  ['an additional empty line', (text: string) => `${text}\n`],
  ['a missing line', (text: string) => text.split('\n').slice(0, -1).join('\n')],
  ['other line endings', (text: string) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', (text: string) => `\uFEFF${text}`],
])('a message with %s differs', (_, change) => {
  const message = signInMessage(FIELDS);
  expect(firstDifference(change(message), message)).toBeDefined();
});

it.each([
  '',
  'Nonce: ',
  'Nonce: 0123456789ABCDEF0123456789ABCDEF',
  'Nonce: 0123456789abcdef0123456789abcdef0',
  ' Nonce: 0123456789abcdef0123456789abcdef',
])('no nonce is found in "%s"', (message) => {
  expect(nonceOf(message)).toBeUndefined();
});
