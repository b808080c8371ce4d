import { describe, expect, it } from 'vitest';
import {
  decryptSecret,
  encryptSecret,
  generateApiKey,
  generateWebhookSecret,
  hashApiKey,
} from '../../src/secrets.ts';

const KEY = new Uint8Array(32).fill(1);
const OTHER_KEY = new Uint8Array(32).fill(2);

describe('a stored secret', () => {
  it('decrypts to its value, and is encrypted differently every time', () => {
    const secret = generateWebhookSecret();
    const [one, two] = [encryptSecret(KEY, secret), encryptSecret(KEY, secret)];
    expect(decryptSecret(KEY, one)).toBe(secret);
    expect(decryptSecret(KEY, two)).toBe(secret);
    expect(one.equals(two)).toBe(false);
    expect(one.includes(secret)).toBe(false);
  });

  it('is refused under another key, or with any byte changed', () => {
    const encrypted = encryptSecret(KEY, 'whsec_x');
    expect(() => decryptSecret(OTHER_KEY, encrypted)).toThrow();
    for (let index = 0; index < encrypted.length; index++) {
      const changed = Uint8Array.from(encrypted);
      changed[index] = (changed[index] as number) ^ 1;
      expect(() => decryptSecret(KEY, changed), `byte ${index}`).toThrow();
    }
    expect(() => decryptSecret(KEY, encrypted.subarray(0, 10))).toThrow();
  });
});

describe('an API key', () => {
  it('names its environment and has 32 random bytes', () => {
    expect(generateApiKey('TEST')).toMatch(/^sk_test_[\w-]{43}$/);
    expect(generateApiKey('LIVE')).toMatch(/^sk_live_[\w-]{43}$/);
    expect(generateApiKey('TEST')).not.toBe(generateApiKey('TEST'));
  });

  it('is found by a hash that needs the secret key', () => {
    expect(hashApiKey(KEY, 'sk_test_x')).toEqual(hashApiKey(KEY, 'sk_test_x'));
    expect(hashApiKey(KEY, 'sk_test_x')).toHaveLength(32);
    expect(hashApiKey(KEY, 'sk_test_x')).not.toEqual(hashApiKey(KEY, 'sk_test_y'));
    expect(hashApiKey(KEY, 'sk_test_x')).not.toEqual(hashApiKey(OTHER_KEY, 'sk_test_x'));
  });
});
