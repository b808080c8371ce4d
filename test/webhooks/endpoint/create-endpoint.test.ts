import { expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/domain/messages/webhook/delete-endpoint.ts';
import { decryptSecret } from '../../../src/secrets.ts';
import { sharedByFile } from '../../support/shared-by-file.ts';
import { addEndpoint, createSubscribedMerchant, startWorld } from '../world.ts';

const world = await sharedByFile(startWorld());
const merchant = await createSubscribedMerchant(world.ctx);

it('an endpoint shows its secret once and stores it encrypted', async () => {
  const { ctx } = world;
  const { endpoint, secret } = await addEndpoint(ctx, merchant, 'https://example.com/hook', [
    'subscription.created',
    'subscription.created',
  ]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const stored = await ctx.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
  expect(Buffer.from(stored.encryptedSecret).includes(secret)).toBe(false);
  expect(decryptSecret(ctx.config.secretKey, stored.encryptedSecret)).toBe(secret);
  expect(stored).toMatchObject({ status: 'ENABLED', eventTypes: ['subscription.created'] });
});

it.each([
  ['not a url', 'an https URL'],
  ['ftp://example.com/', 'an https URL'],
  ['https://example.com:25/', 'on port 80, 443, or 1024'],
  ['https://example.com:99999/', 'an https URL'],
  ['https://user:secret@example.com/', 'user name or password'],
  ['https://10.0.0.1/', 'public internet'],
  ['https://[::1]/', 'public internet'],
  ['https://2130706434/', 'public internet'],
])('refuses an endpoint at %s', async (url, message) => {
  await expect(addEndpoint(world.ctx, merchant, url)).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'url',
    message: expect.stringContaining(message),
  });
});

it('refuses an endpoint at a URL that is too long', async () => {
  const url = `https://example.com/${'x'.repeat(2048)}`;
  await expect(addEndpoint(world.ctx, merchant, url)).rejects.toMatchObject({ param: 'url' });
});

it('refuses an endpoint for unknown events', async () => {
  await expect(
    addEndpoint(world.ctx, merchant, 'https://example.com/', [
      'subscription.frozen' as 'subscription.created',
    ]),
  ).rejects.toMatchObject({ code: 'invalid_request', param: 'eventTypes' });
});

it('an endpoint may use http and a private address if the operator allows its host', async () => {
  const { endpoint } = await addEndpoint(world.ctx, merchant, 'http://127.0.0.1:9999/hook');
  expect(endpoint.url).toBe('http://127.0.0.1:9999/hook');
});

it('an environment has at most 20 endpoints, even with concurrent requests', async () => {
  const { ctx } = world;
  const crowded = await createSubscribedMerchant(ctx);
  const add = () => addEndpoint(ctx, crowded, 'https://example.com/');
  const added = await Promise.allSettled(Array.from({ length: 24 }, add));
  const refused = added.filter(({ status }) => status === 'rejected');
  expect(await ctx.db.webhookEndpoint.count({ where: crowded.scope })).toBe(20);
  expect(refused).toHaveLength(4);
  await expect(add()).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'url',
    message: 'TEST has 20 webhook endpoints, and at most 20 are allowed: remove one first.',
  });
  await addEndpoint(
    ctx,
    { scope: { ...crowded.scope, environment: 'LIVE' as 'TEST' } },
    'https://example.com/',
  );
  const { id } = await ctx.db.webhookEndpoint.findFirstOrThrow({ where: crowded.scope });
  await deleteEndpoint(ctx, crowded.scope, id);
  await add();
});
