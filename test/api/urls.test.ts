/** URLs that merchants set: normalised as in browsers, and refused if they cannot be used. */
import { describe, expect, it } from 'vitest';
import { updateProfile } from '../../src/domain/accounts/merchant/update-profile.ts';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { updateEndpoint } from '../../src/domain/messages/webhook/update-endpoint.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { startApiWorld } from './world.ts';

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();
const { planId } = await world.publishPlan(merchant, { planId: 'urls' });

const URLS_WITH_CONTROLS = [
  'https://shop.example/a\r\nset-cookie: b=c',
  'https://shop.example/\n',
  '\thttps://shop.example/',
  'https://shop.example/\u0085',
  'https://shop.example/\u007f',
  'https://sh\top.example/',
];
const NORMALISED = [
  ['  https://shop.example/done  ', 'https://shop.example/done'],
  ['HTTPS://Shop.Example:443/a b?c=d e#f', 'https://shop.example/a%20b?c=d%20e#f'],
  ['https://shop.example', 'https://shop.example/'],
  ['https://shop.example/?a=%C3%A4&b=+', 'https://shop.example/?a=%C3%A4&b=+'],
] as const;

describe('the URLs of a checkout', () => {
  const create = (urls: object) =>
    world.request('POST', '/checkout/create', {
      key: merchant.testKey,
      body: { planId, customerEmail: 'a@example.com', ...urls },
    });

  it.each(['successUrl', 'cancelUrl'])('%s is refused with control characters', async (param) => {
    for (const url of URLS_WITH_CONTROLS) {
      const { status, body } = await create({ [param]: url });
      expect([url, status, body]).toMatchObject([url, 400, { error: { code: 'invalid_request', param } }]);
    }
    expect(await world.db.checkoutSession.count({ where: { [param]: { not: null } } })).toBe(0);
  });

  it.each(['successUrl', 'cancelUrl'])('%s is stored as a browser writes it', async (param) => {
    for (const [url, stored] of NORMALISED) {
      const { body } = await create({ [param]: url });
      const session = await world.db.checkoutSession.findUniqueOrThrow({ where: { id: body.sessionId } });
      expect(session).toMatchObject({ [param]: stored });
    }
  });
});

it('the URL of a logo follows the same rules', async () => {
  const scope = { merchantId: merchant.merchant.id, actor: undefined };
  for (const logoUrl of URLS_WITH_CONTROLS) {
    await expect(updateProfile(world.ctx, scope, { logoUrl })).rejects.toMatchObject({ param: 'logoUrl' });
  }
  for (const [logoUrl, stored] of NORMALISED) {
    expect(await updateProfile(world.ctx, scope, { logoUrl })).toMatchObject({ logoUrl: stored });
  }
});

describe('the URL of a webhook endpoint', () => {
  const UNREACHABLE = [
    'http://localhost',
    'http://localhost:3000/hook',
    'https://localhost/',
    'http://LOCALHOST./',
    'http://shop.localhost/',
    'http://127.0.0.1:8080/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://127.0.0.1./',
    'http://[::1]:3000/',
    'http://[::ffff:10.0.0.1]/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00::1]/',
    'http://shop.example:22/',
  ];

  it('is refused at once if webhooks could not be sent to it', async () => {
    const ctx = { ...world.ctx, config: { ...world.ctx.config, webhookHostsAllowed: [] } };
    const scope = { merchantId: merchant.merchant.id, environment: 'TEST' as const };
    const { endpoint } = await createEndpoint(ctx, { ...scope, url: 'https://shop.example/' });
    for (const url of [...UNREACHABLE, ...URLS_WITH_CONTROLS]) {
      const refused = { code: 'invalid_request', param: 'url' };
      await expect(createEndpoint(ctx, { ...scope, url }), url).rejects.toMatchObject(refused);
      await expect(updateEndpoint(ctx, scope, endpoint.id, { url }), url).rejects.toMatchObject(refused);
    }
    expect(await ctx.db.webhookEndpoint.count({ where: scope })).toBe(1);
  });

  it.each([
    ['localhost', 'http://localhost:3000/hook'],
    ['localhost:3000', 'http://localhost:3000/hook'],
    ['127.0.0.1', 'http://127.0.0.1:8080/'],
    ['[::1]', 'http://[::1]:3000/'],
  ])('is accepted if the operator allows %s', async (allowed, url) => {
    const ctx = { ...world.ctx, config: { ...world.ctx.config, webhookHostsAllowed: [allowed] } };
    const scope = { merchantId: merchant.merchant.id, environment: 'TEST' as const };
    expect((await createEndpoint(ctx, { ...scope, url })).endpoint.url).toBe(url);
  });
});
