import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { authenticateApiKey } from '../../../src/domain/accounts/api-key/authenticate-api-key.ts';
import { createApiKey } from '../../../src/domain/accounts/api-key/create-api-key.ts';
import { revokeApiKey } from '../../../src/domain/accounts/api-key/revoke-api-key.ts';
import { createMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { settingsOf } from '../../../src/domain/accounts/merchant/settings.ts';
import { readCountedPage } from '../../../src/domain/kernel/paging/numbered-page.ts';
import type { BillingError } from '../../../src/errors.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { DAY, invalid, refusal, startWorld } from '../world.ts';

const world = await sharedByFile(startWorld());

describe('a merchant', () => {
  it('needs a name, a wallet of its own, and a logo that a page can load', async () => {
    const { address: walletAddress } = await generateKeyPairSigner();
    const create = (input: object) =>
      refusal(createMerchant(world.ctx, { companyName: 'Acme', walletAddress, ...input }));
    expect(await create({ companyName: ' ' })).toEqual(invalid('companyName'));
    expect(await create({ companyName: 'A\0B' })).toEqual(invalid('companyName'));
    expect(await create({ walletAddress: 'nobody' })).toEqual(invalid('walletAddress'));
    expect(await create({ logoUrl: 'javascript:alert(1)' })).toEqual(invalid('logoUrl'));
    expect(await create({ supportEmail: 'acme' })).toEqual(invalid('supportEmail'));
    await createMerchant(world.ctx, { companyName: 'Acme', walletAddress });
    expect(await create({})).toEqual(invalid('walletAddress'));
  });

  it('has the default retries unless it sets others', async () => {
    const { scope } = await world.newMerchant();
    expect(await settingsOf(world.db, scope)).toMatchObject({
      maxFailures: 3,
      retryDelaysSeconds: [60, 300, 1800],
    });
    await world.db.merchantSettings.create({ data: { ...scope, maxFailures: 5, retryDelaysSeconds: [10] } });
    expect(await settingsOf(world.db, scope)).toMatchObject({ maxFailures: 5, retryDelaysSeconds: [10] });
    expect(await settingsOf(world.db, { ...scope, environment: 'LIVE' })).toMatchObject({ maxFailures: 3 });
  });
});

describe('an API key', () => {
  it('gives access to its merchant and environment, and is not stored', async () => {
    const { scope } = await world.newMerchant();
    const { apiKey, key } = await createApiKey(world.ctx, scope, { name: 'backend' });
    expect(apiKey).toMatch(/^sk_test_.{43}$/);
    expect(apiKey.endsWith(key.lastFour)).toBe(true);
    expect(await authenticateApiKey(world.ctx, apiKey)).toEqual({
      kind: 'api_key',
      ...scope,
      keyId: key.id,
      scopes: ['READ', 'WRITE', 'CHECKOUT'],
    });
    const live = await createApiKey(world.ctx, { ...scope, environment: 'LIVE' }, { name: 'backend' });
    expect(live.apiKey).toMatch(/^sk_live_/);
    expect(await authenticateApiKey(world.ctx, live.apiKey)).toMatchObject({ environment: 'LIVE' });
    const rows = await world.db.apiKey.findMany();
    expect(JSON.stringify(rows)).not.toContain(apiKey.slice(8, 40));
  });

  it('gives no access once expired or revoked, with the same error as an unknown one', async () => {
    const { scope } = await world.newMerchant();
    const messageOf = (apiKey: string) =>
      authenticateApiKey(world.ctx, apiKey).catch((error: BillingError) => `${error.code}: ${error.message}`);
    const expiresAt = new Date(world.ctx.clock.now().getTime() + DAY * 1000);
    const expiring = await createApiKey(world.ctx, scope, { name: 'short', expiresAt });
    const revoked = await createApiKey(world.ctx, scope, { name: 'lost' });
    expect(await messageOf(expiring.apiKey)).toMatchObject({ keyId: expiring.key.id });
    await world.travel(DAY);
    const first = await revokeApiKey(world.ctx, scope, revoked.key);
    await world.travel(1);
    expect(await revokeApiKey(world.ctx, scope, revoked.key)).toEqual(first);
    const messages = await Promise.all([expiring.apiKey, revoked.apiKey, 'sk_test_x', ''].map(messageOf));
    expect(new Set(messages)).toEqual(new Set(['authentication_error: Invalid or expired API key.']));
  });

  it('needs a name and an expiry in the future, and only its merchant revokes it', async () => {
    const { scope } = await world.newMerchant();
    const other = await world.newMerchant();
    const create = (input: object) => refusal(createApiKey(world.ctx, scope, { name: 'x', ...input }));
    expect(await create({ name: '' })).toEqual(invalid('name'));
    expect(await create({ expiresAt: world.ctx.clock.now() })).toEqual(invalid('expiresAt'));
    expect(await create({ expiresAt: new Date(Number.NaN) })).toEqual(invalid('expiresAt'));
    const { key, apiKey } = await createApiKey(world.ctx, scope, { name: 'x' });
    const notFound = { code: 'not_found', param: 'id' };
    expect(await refusal(revokeApiKey(world.ctx, other.scope, key))).toEqual(notFound);
    expect(await refusal(revokeApiKey(world.ctx, { ...scope, environment: 'LIVE' }, key))).toEqual(notFound);
    expect(await refusal(revokeApiKey(world.ctx, scope, { id: 'no id' }))).toEqual(notFound);
    expect(await authenticateApiKey(world.ctx, apiKey)).toMatchObject({ keyId: key.id });
  });
});

describe('a page', () => {
  const rows = Array.from({ length: 41 }, (_, index) => index);
  const read = (input: object) =>
    readCountedPage(input, async ({ skip, take }) => ({
      data: rows.slice(skip, skip + take),
      total: rows.length,
    }));

  it('contains the total, and 20 rows by default', async () => {
    expect((await read({})).pagination).toEqual({ page: 1, limit: 20, total: 41, pages: 3 });
    expect((await read({ page: 3 })).data).toEqual([40]);
    expect((await read({ page: 4 })).data).toEqual([]);
    expect((await read({ limit: 100 })).data).toEqual(rows);
  });

  it.each([0, 101, -1, 1.5, Number.NaN])('of %d rows is refused instead of clamped', async (limit) => {
    expect(await refusal(read({ limit }))).toEqual(invalid('limit'));
  });

  it.each([0, -1, 1.5, 1e9])('number %d is refused', async (page) => {
    expect(await refusal(read({ page }))).toEqual(invalid('page'));
  });
});
