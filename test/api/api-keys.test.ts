import { print } from 'graphql';
import type { Client } from 'graphql-ws';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startApi } from '../../src/api/server/server.ts';
import { createApp } from '../../src/app.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { revokeApiKey } from '../../src/domain/accounts/api-key/revoke-api-key.ts';
import type { ApiKeyScope } from '../../src/generated/prisma/client.ts';
import { createLive } from '../../src/live/live.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import {
  API_KEYS,
  CREATE_API_KEY,
  ME,
  REVOKE_API_KEY,
  ROTATE_API_KEY,
  SUBSCRIPTION_UPDATED,
} from './documents.ts';
import { graphqlError, startApiWorld } from './world.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const AUTHENTICATION_ERROR = { code: 'authentication_error' };

const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

async function create(
  input: { name?: string; scopes?: ApiKeyScope[]; expiresAt?: string },
  key = merchant.testKey,
) {
  const { createApiKey: created } = await world.query(key, CREATE_API_KEY, { name: 'backend', ...input });
  return created;
}
const isAccepted = (key: string) =>
  world.query(key, ME, {}).then(
    () => true,
    () => false,
  );
const inSeconds = (seconds: number) =>
  new Date(world.ctx.wallClock.now().getTime() + seconds * 1000).toISOString();

describe('an API key', () => {
  it('is created by another key, for the same environment, and shown once', async () => {
    const created = await create({ name: 'shop' }, merchant.liveKey);
    expect(created.apiKey).toMatch(/^sk_live_[\w-]{43}$/);
    expect(created.key).toEqual({
      id: expect.any(String),
      name: 'shop',
      prefix: 'sk_live_',
      lastFour: created.apiKey.slice(-4),
      scopes: ['READ', 'WRITE', 'CHECKOUT'],
      isValid: true,
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
    });
    expect(await world.query(created.apiKey, ME, {})).toMatchObject({ environment: 'LIVE' });
    const { apiKeys } = await world.query(merchant.liveKey, API_KEYS, { first: 1 });
    expect(apiKeys).toMatchObject({ totalCount: 2, edges: [{ node: { id: created.key.id } }] });
    const next = await world.query(merchant.liveKey, API_KEYS, {
      first: 5,
      after: apiKeys.pageInfo.endCursor,
    });
    expect(next.apiKeys.edges).toHaveLength(1);
    expect(JSON.stringify([apiKeys, next])).not.toContain(created.apiKey.slice(8, 40));
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['scopes', { scopes: [] }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00.000Z' }],
  ])('is refused with a wrong %s', async (param, input) => {
    expect(await graphqlError(create(input))).toMatchObject({ code: 'invalid_request', param });
  });

  it('gives no access once it has expired', async () => {
    const { apiKey } = await create({ expiresAt: inSeconds(HOUR) });
    expect(await isAccepted(apiKey)).toBe(true);
    await world.travel(HOUR);
    expect(await isAccepted(apiKey)).toBe(false);
  });

  it('shows when it was last used', async () => {
    const { apiKey, key } = await create({});
    await isAccepted(apiKey);
    const usedAt = world.ctx.wallClock.now().toISOString();
    await vi.waitFor(async () => {
      const { apiKeys } = await world.query(merchant.testKey, API_KEYS, { first: 1 });
      expect(apiKeys.edges[0]?.node).toMatchObject({ id: key.id, lastUsedAt: usedAt });
    }, SOON);
  });
});

describe('scopes', () => {
  const CALLS = {
    READ: (key: string) => world.query(key, ME, {}),
    WRITE: (key: string) =>
      world.request('POST', '/graphql', {
        key,
        body: { query: `mutation { revokeApiKey(id: "${crypto.randomUUID()}") { id } }` },
      }),
    CHECKOUT: (key: string) =>
      world.request('POST', '/graphql', {
        key,
        body: {
          query: 'mutation { createCheckoutSession(input: { planId: "x", customerEmail: "x" }) { id } }',
        },
      }),
  };
  const REST = {
    READ: (key: string) => world.request('GET', '/api/subscriptions', { key }),
    CHECKOUT: (key: string) => world.request('POST', '/checkout/create', { key, body: {} }),
  };

  it.each(['READ', 'WRITE', 'CHECKOUT'] as const)(
    '%s gives access to the calls that need it, and to no others',
    async (scope) => {
      const { apiKey } = await create({ scopes: [scope] });
      for (const [needed, call] of Object.entries(CALLS)) {
        const outcome = await call(apiKey).then(
          (answer) => JSON.stringify('body' in answer ? answer.body : answer),
          (error: Error) => error.message,
        );
        expect({ needed, isRefused: outcome.includes('authentication_error') }).toEqual({
          needed,
          isRefused: needed !== scope,
        });
      }
      for (const [needed, call] of Object.entries(REST)) {
        expect({ needed, isRefused: (await call(apiKey)).status === 401 }).toEqual({
          needed,
          isRefused: needed !== scope,
        });
      }
    },
  );

  it('a key that may only create checkouts cannot read their outcome', async () => {
    const plan = await world.publishPlan(merchant, { planId: 'scoped' });
    const { apiKey } = await create({ scopes: ['CHECKOUT'] });
    const ask = (fields: string) =>
      world.request('POST', '/graphql', {
        key: apiKey,
        body: {
          query: `mutation { createCheckoutSession(input: { planId: "${plan.planId}", customerEmail: "a@example.com" }) { id ${fields} } }`,
        },
      });
    const { body } = await ask('url plan { name }');
    const { id } = body.data.createCheckoutSession;
    for (const fields of ['metadata', 'subscription { id }', 'walletAddress', 'customerId']) {
      expect((await ask(fields)).body.errors[0].extensions).toEqual(AUTHENTICATION_ERROR);
    }
    expect((await world.request('GET', `/api/checkout/${id}`, { key: apiKey })).status).toBe(401);
  });

  it('a key cannot make a key with more scopes than its own', async () => {
    const writer = await create({ scopes: ['WRITE', 'READ'] });
    const withMoreScopes = create({ scopes: ['CHECKOUT'] }, writer.apiKey);
    expect(await graphqlError(withMoreScopes)).toMatchObject({ code: 'invalid_request', param: 'scopes' });
    expect((await create({}, writer.apiKey)).key.scopes).toEqual(['WRITE', 'READ']);
    const full = await create({});
    const rotated = world.query(writer.apiKey, ROTATE_API_KEY, { id: full.key.id });
    expect(await graphqlError(rotated)).toMatchObject({ code: 'invalid_request', param: 'scopes' });
    expect(await isAccepted(full.apiKey)).toBe(true);
  });
});

it('a key that expires creates and rotates only keys that expire no later', async () => {
  const end = inSeconds(HOUR);
  const creator = await create({ expiresAt: end });
  expect((await create({}, creator.apiKey)).key.expiresAt).toBe(end);
  expect((await create({ expiresAt: inSeconds(60) }, creator.apiKey)).key.expiresAt).toBe(inSeconds(60));
  const tooLong = { code: 'invalid_request', param: 'expiresAt' };
  expect(await graphqlError(create({ expiresAt: inSeconds(HOUR + 1) }, creator.apiKey))).toMatchObject(
    tooLong,
  );
  const unlimited = await create({});
  const rotate = (id: string, input = {}) => world.query(creator.apiKey, ROTATE_API_KEY, { id, ...input });
  const longer = rotate(unlimited.key.id, { expiresAt: inSeconds(HOUR + 1) });
  expect(await graphqlError(longer)).toMatchObject(tooLong);
  expect((await rotate(unlimited.key.id)).rotateApiKey.key.expiresAt).toBe(end);
  await world.travel(60);
  expect((await rotate(creator.key.id)).rotateApiKey.key.expiresAt).toBe(end);
});

describe('rotation', () => {
  it('returns another key with the same scopes, and the old one works for the overlap', async () => {
    const old = await create({ name: 'rotating', scopes: ['READ'], expiresAt: inSeconds(30 * DAY) });
    await world.travel(DAY);
    const { rotateApiKey } = await world.query(merchant.testKey, ROTATE_API_KEY, { id: old.key.id });
    expect(rotateApiKey.key).toMatchObject({
      name: 'rotating',
      scopes: ['READ'],
      expiresAt: inSeconds(30 * DAY),
    });
    expect(rotateApiKey.previous).toMatchObject({
      id: old.key.id,
      expiresAt: inSeconds(DAY),
      replacedBy: { id: rotateApiKey.key.id },
    });
    await world.travel(DAY - 1);
    expect([await isAccepted(old.apiKey), await isAccepted(rotateApiKey.apiKey)]).toEqual([true, true]);
    await world.travel(1);
    expect([await isAccepted(old.apiKey), await isAccepted(rotateApiKey.apiKey)]).toEqual([false, true]);
  });

  it('can end the old key at once, and never extends it', async () => {
    const ended = await create({});
    await world.query(merchant.testKey, ROTATE_API_KEY, { id: ended.key.id, overlapSeconds: 0 });
    expect(await isAccepted(ended.apiKey)).toBe(false);
    const shortLived = await create({ expiresAt: inSeconds(HOUR) });
    const { rotateApiKey } = await world.query(merchant.testKey, ROTATE_API_KEY, { id: shortLived.key.id });
    expect(rotateApiKey.previous.expiresAt).toBe(inSeconds(HOUR));
  });

  it('succeeds once when several calls arrive at the same time', async () => {
    const { key } = await create({});
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => world.query(merchant.testKey, ROTATE_API_KEY, { id: key.id })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const again = world.query(merchant.testKey, ROTATE_API_KEY, { id: key.id });
    expect(await graphqlError(again)).toMatchObject({ code: 'invalid_request', param: 'id' });
  });

  it.each([-1, 30 * DAY + 1])('refuses an overlap of %d seconds', async (overlapSeconds) => {
    const { key } = await create({});
    const call = world.query(merchant.testKey, ROTATE_API_KEY, { id: key.id, overlapSeconds });
    expect(await graphqlError(call)).toMatchObject({ code: 'invalid_request', param: 'overlapSeconds' });
  });

  it('refuses a revoked and an expired key, and does not find an unknown one', async () => {
    const rotate = ({ id }: { readonly id: string }) =>
      graphqlError(world.query(merchant.testKey, ROTATE_API_KEY, { id }));
    const { key: revoked } = await create({});
    await world.query(merchant.testKey, REVOKE_API_KEY, { id: revoked.id });
    expect(await rotate(revoked)).toMatchObject({ code: 'invalid_request', param: 'id' });
    const { key: expired } = await create({ expiresAt: inSeconds(HOUR) });
    await world.travel(HOUR);
    expect(await rotate(expired)).toMatchObject({ code: 'invalid_request', param: 'id' });
    const unknown = { id: crypto.randomUUID() };
    expect(await rotate(unknown)).toMatchObject({ code: 'not_found', param: 'id' });
  });
});

describe('a key that is revoked', () => {
  const subscribe = (client: Client) =>
    client.iterate<Record<string, unknown>>({ query: print(SUBSCRIPTION_UPDATED), variables: {} });

  it('gives no access from then on, in all processes', async () => {
    const other = await startApi(world.ctx);
    const { apiKey, key } = await create({});
    const ask = () =>
      Promise.all(
        [world.api.url, other.url].map(async (url) => {
          const headers = { authorization: `Bearer ${apiKey}` };
          return (await fetch(`${url}/api/subscriptions`, { headers })).status;
        }),
      );
    expect(await ask()).toEqual([200, 200]);
    const { revokeApiKey: revoked } = await world.query(merchant.testKey, REVOKE_API_KEY, { id: key.id });
    expect(revoked).toMatchObject({ isValid: false, revokedAt: expect.any(String) });
    expect(await ask()).toEqual([401, 401]);
    await other.close();
  });

  it('closes only its own sockets with 4403, and ends its own streams with the reason', async () => {
    const [revoked, kept] = [await create({}), await create({})];
    const closes: { code: number; reason?: string }[] = [];
    const keptCloses: { code: number }[] = [];
    const [socket, keptSocket] = [
      world.socket(revoked.apiKey, closes),
      world.socket(kept.apiKey, keptCloses),
    ];
    for (const client of [socket, keptSocket]) {
      const subscribed = world.untilSubscribed('subscription.updated');
      void subscribe(client)
        .next()
        .catch(() => undefined);
      await subscribed;
    }
    const streaming = new AbortController();
    const subscribed = world.untilSubscribed('subscription.updated');
    const nextResult = world.events(revoked.apiKey, SUBSCRIPTION_UPDATED, {}, streaming.signal).next();
    await subscribed;

    await world.query(merchant.testKey, REVOKE_API_KEY, { id: revoked.key.id });
    await vi.waitFor(() => expect(closes).toMatchObject([{ code: 4403 }]), SOON);
    expect(closes[0]?.reason).toContain('The API key was revoked or has expired');
    expect((await nextResult).value).toMatchObject({ errors: [{ extensions: AUTHENTICATION_ERROR }] });
    expect(keptCloses).toEqual([]);
    streaming.abort();
  });

  it('closes its sockets when it expires, and when news of its revocation is lost', async () => {
    const expiring = await create({ expiresAt: inSeconds(HOUR) });
    const revokedSilently = await create({});
    for (const { apiKey, key } of [expiring, revokedSilently]) {
      const closes: { code: number }[] = [];
      const subscribed = world.untilSubscribed('subscription.updated');
      void subscribe(world.socket(apiKey, closes))
        .next()
        .catch(() => undefined);
      await subscribed;
      if (key.expiresAt) await world.travel(HOUR);
      else
        await world.db.apiKey.update({ where: { id: key.id }, data: { revokedAt: world.ctx.clock.now() } });
      await vi.waitFor(() => expect(closes).toMatchObject([{ code: 4403 }]), SOON);
    }
  });
});

const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server: revocation in several processes is not tested');

describe.runIf(redisServer)('with Redis', () => {
  it('a revocation on one machine closes the sockets on another at once', async () => {
    const redis = await startRedis(redisServer as string);
    const config = { ...world.ctx.config, redisUrl: redis.url };
    const [live, otherLive] = [createLive(config, world.ctx.log), createLive(config, world.ctx.log)];
    const api = await startApi({ ...world.ctx, config, live });
    const { apiKey, key } = await createApiKey(world.ctx, merchant.scope, { name: 'remote' });
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    const acknowledged = new Promise((resolve) => socket.once('message', resolve));
    socket.once('open', () =>
      socket.send(
        JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${apiKey}` } }),
      ),
    );
    await acknowledged;
    await revokeApiKey({ ...world.ctx, live: otherLive }, merchant.scope, { id: key.id });
    expect(await closed).toBe(4403);
    await api.close();
    await Promise.all([live.close(), otherLive.close()]);
    await redis.stop();
  });

  it('requests continue without limits when Redis stops, and that is logged', async () => {
    const redis = await startRedis(redisServer as string);
    const app = await createApp({ ...world.ctx.config, redisUrl: redis.url });
    const api = await startApi({
      ...app.ctx,
      clock: world.ctx.clock,
      wallClock: world.ctx.wallClock,
      log: world.ctx.log,
    });
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${api.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${merchant.testKey}`, ...init.headers },
      });
    const plan = await world.publishPlan(merchant, { planId: 'no-redis' });
    const checkOut = (customerEmail: string) =>
      ask('/checkout/create', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ planId: plan.planId, customerEmail }),
      });
    const before = await checkOut('before@example.com');
    expect(await before.json()).toMatchObject({ sessionId: expect.any(String) });
    expect(before.headers.get('x-ratelimit-limit')).toBe('100');
    await redis.stop();
    for (const answer of [await checkOut('after@example.com'), await ask('/api/subscriptions')]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    }
    expect(world.logged.join('')).toContain('requests not counted');
    await api.close();
    await app.close();
  });
});
