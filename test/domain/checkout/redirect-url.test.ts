import { describe, expect, it } from 'vitest';
import { redirectUrl } from '../../../src/domain/checkout/redirect-url.ts';

describe('the way back to the merchant', () => {
  it.each([
    ['https://shop.example', 'https://shop.example?session_id=cs_1'],
    ['https://shop.example/ok?a=1', 'https://shop.example/ok?a=1&session_id=cs_1'],
    ['https://shop.example/ok?', 'https://shop.example/ok?session_id=cs_1'],
    ['https://shop.example/ok?a=b%20c#top', 'https://shop.example/ok?a=b%20c&session_id=cs_1#top'],
    ['https://shop.example/#/ok?x', 'https://shop.example/?session_id=cs_1#/ok?x'],
  ])('%s becomes %s', (successUrl, expected) => {
    expect(redirectUrl({ id: 'cs_1', successUrl })).toBe(expected);
    expect(new URL(expected).searchParams.get('session_id')).toBe('cs_1');
  });

  it('is none where the merchant named none', () => {
    expect(redirectUrl({ id: 'cs_1', successUrl: null })).toBeNull();
  });
});
