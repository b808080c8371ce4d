import { describe, expect, it } from 'vitest';
import { isAllowedRedirect } from '../../../src/domain/accounts/merchant/allowed-redirect.ts';
import { redirectUrl } from '../../../src/domain/checkout/session/redirect-url.ts';

describe('the redirect to the merchant', () => {
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

  it('is missing if the merchant named none', () => {
    expect(redirectUrl({ id: 'cs_1', successUrl: null })).toBeNull();
  });
});

describe('the hosts that a merchant allows', () => {
  const allowed = ['https://shop.example/', 'https://app.example/billing', 'http://localhost:3000/ok/'];

  it.each([
    'https://shop.example',
    'https://shop.example/any/where?x=1#y',
    'https://SHOP.example:443/done',
    'https://app.example/billing',
    'https://app.example/billing?x=/../..',
    'https://app.example/billing/done',
    'http://localhost:3000/ok/1',
  ])('include %s', (url) => expect(isAllowedRedirect(url, allowed)).toBe(true));

  it.each([
    'http://shop.example/',
    'https://shop.example:8443/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://user@shop.example/',
    'https://evil.example/https://shop.example/',
    'https://evil.example\\@shop.example/',
    'https://app.example/',
    'https://app.example/billings',
    'https://app.example/billing/../account',
    'https://app.example/billing/%2e%2e/account',
    'https://app.example/billing\\..\\account',
    'http://localhost:3000/ok',
  ])('do not include %s', (url) => expect(isAllowedRedirect(url, allowed)).toBe(false));

  it('are all if none is named', () => expect(isAllowedRedirect('https://any.example', [])).toBe(true));
});
