import { expect, it } from 'vitest';
import { CREATE_CHECKOUT_SESSION } from '../api/documents.ts';
import { SETTINGS, UPDATE_SETTINGS } from '../api/management-documents.ts';
import { graphqlError, startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
await world.publishPlan(merchant);

const DEFAULTS = {
  maxFailures: 3,
  retryDelaysSeconds: [60, 300, 1800],
  redirectUrlsAllowed: [],
  sponsorsCustomers: false,
  sponsoredLamportsPerDay: '50000000',
};
const update = (input: object, key = merchant.testKey) => world.query(key, UPDATE_SETTINGS, { input });
const create = (urls: { successUrl?: string; cancelUrl?: string }) =>
  world.query(merchant.testKey, CREATE_CHECKOUT_SESSION, {
    input: { planId: 'pro', customerEmail: 'ada@example.com', ...urls },
  });

it('settings have the documented defaults, separately for each environment', async () => {
  const { testKey, liveKey } = await world.newKeyedMerchant();
  expect(await world.query(testKey, SETTINGS, {})).toEqual({ settings: DEFAULTS });
  const maxFailures = { ...DEFAULTS, maxFailures: 5 };
  expect(await update({ maxFailures: 5 }, testKey)).toEqual({ updateSettings: maxFailures });
  const delays = { ...maxFailures, retryDelaysSeconds: [10, 20] };
  expect(await update({ retryDelaysSeconds: [10, 20], maxFailures: null }, testKey)).toEqual({
    updateSettings: delays,
  });
  expect(await world.query(testKey, SETTINGS, {})).toEqual({ settings: delays });
  expect(await world.query(liveKey, SETTINGS, {})).toEqual({ settings: DEFAULTS });
});

it.each([
  ['maxFailures', { maxFailures: 0 }],
  ['maxFailures', { maxFailures: 21 }],
  ['retryDelaysSeconds', { retryDelaysSeconds: [] }],
  ['retryDelaysSeconds', { retryDelaysSeconds: [0] }],
  ['retryDelaysSeconds', { retryDelaysSeconds: [60, 2_592_001] }],
  ['retryDelaysSeconds', { retryDelaysSeconds: Array(21).fill(60) }],
  ['redirectUrlsAllowed', { redirectUrlsAllowed: ['shop.example'] }],
  ['redirectUrlsAllowed', { redirectUrlsAllowed: ['javascript:alert(1)'] }],
  ['redirectUrlsAllowed', { redirectUrlsAllowed: ['https://shop.example/?a=1'] }],
  ['redirectUrlsAllowed', { redirectUrlsAllowed: ['https://user@shop.example'] }],
  ['redirectUrlsAllowed', { redirectUrlsAllowed: Array(51).fill('https://shop.example') }],
  ['sponsoredLamportsPerDay', { sponsorsCustomers: true, sponsoredLamportsPerDay: '10000000001' }],
])('%s is named as wrong in %j, and nothing is set', async (param, input) => {
  const { testKey } = await world.newKeyedMerchant();
  const changes = { maxFailures: 7, ...input };
  expect(await graphqlError(update(changes, testKey))).toMatchObject({ code: 'invalid_request', param });
  expect(await world.query(testKey, SETTINGS, {})).toEqual({ settings: DEFAULTS });
});

it('a checkout redirects only to allowed hosts, and to any host if none is named', async () => {
  const { id: before } = (await create({ successUrl: 'https://evil.example/' })).createCheckoutSession;
  const { redirectUrlsAllowed } = (
    await update({ redirectUrlsAllowed: ['https://shop.example', 'https://app.example/billing'] })
  ).updateSettings;
  expect(redirectUrlsAllowed).toEqual(['https://shop.example/', 'https://app.example/billing']);
  const refused = await graphqlError(create({ successUrl: 'https://evil.example/done' }));
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'successUrl' });
  expect(refused.message).toContain('https://app.example/billing');
  const cancelUrl = 'https://app.example/account';
  const successUrl = 'https://shop.example/done?order=1#top';
  expect(await graphqlError(create({ successUrl, cancelUrl }))).toMatchObject({ param: 'cancelUrl' });
  await create({ successUrl, cancelUrl: 'https://app.example/billing/back' });
  await create({});
  // A repeated request gets the session that is already open.
  expect((await create({ successUrl: 'https://evil.example/' })).createCheckoutSession.id).toBe(before);
  const body = { planId: 'pro', customerEmail: 'ada@example.com', successUrl: 'https://evil.example/rest' };
  const rest = await world.request('POST', '/checkout/create', { key: merchant.testKey, body });
  expect({ status: rest.status, ...rest.body.error }).toMatchObject({ status: 400, param: 'successUrl' });
  await update({ redirectUrlsAllowed: [] });
  await create({ successUrl: 'https://evil.example/again' });
});
