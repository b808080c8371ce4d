import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { createStateCache, DuesError, type StateCacheOptions } from '../../client/dues-client.ts';
import { startApi } from '../../src/api/server/server.ts';
import { startApiWorld } from '../api/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const MINUTE = 60_000;
const world = await sharedByFile(startApiWorld());
const merchant = await world.newKeyedMerchant();

/** A proxy in front of the API that records what is requested, and can hold answers back. */
const asked: { path: string; tag: string | undefined; status: number }[] = [];
let held: Promise<void> | undefined;
const proxy = createServer(async ({ url = '', headers }, response) => {
  const tag = headers['if-none-match'];
  const answer = await fetch(world.api.url + url, {
    headers: { authorization: String(headers.authorization), ...(tag && { 'if-none-match': tag }) },
  });
  asked.push({ path: url, tag, status: answer.status });
  await held;
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const address = proxy.address() as { port: number };
const proxyUrl = `http://127.0.0.1:${address.port}`;
afterAll(() => new Promise((resolve) => proxy.close(resolve)));

/** A cache with its own clock, which begins at the time of dues. */
function newCache(options: Partial<StateCacheOptions> = {}) {
  let time = world.ctx.clock.now().getTime();
  asked.length = 0;
  return {
    ...createStateCache({ url: proxyUrl, apiKey: merchant.testKey, now: () => time, ...options }),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

let count = 0;
/** Subscribes a new customer with an id of the merchant. */
async function newCustomer() {
  const customerId = `user/${++count}`;
  const plan = await world.publishPlan(merchant, { planId: `plan-${count}` });
  await world.subscribe(merchant, plan, await world.newWallet(), { customerId });
  return customerId;
}

const stateOf = (
  customerId: string,
  version: number,
  hasAccess = true,
  validUntil: string | null = null,
) => ({
  ...{ customerId, version, hasAccess, features: {}, subscriptions: [], validUntil, previous: null },
});

describe('the cache of states', () => {
  it('asks once, and afterwards only whether the version is still the same', async () => {
    const customerId = await newCustomer();
    const cache = newCache();
    const first = await cache.get(customerId);
    expect(first).toMatchObject({ customerId, hasAccess: true, version: 1 });
    cache.pass(MINUTE - 1);
    expect(await cache.get(customerId)).toBe(first);
    cache.pass(1);
    expect(await cache.get(customerId)).toBe(first);
    const path = `/api/customers/${encodeURIComponent(customerId)}/state`;
    expect(asked).toEqual([
      { path, tag: undefined, status: 200 },
      { path, tag: '"1"', status: 304 },
    ]);
    await cache.get(customerId);
    expect(asked).toHaveLength(2);
    await cache.refresh(customerId);
    expect(asked).toHaveLength(3);
  });

  it('sends one request for calls at the same time, and another one for a refresh', async () => {
    const cache = newCache();
    await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')]);
    expect(asked.map(({ path }) => path).sort()).toEqual([
      '/api/customers/a/state',
      '/api/customers/b/state',
    ]);
    cache.pass(MINUTE);
    await Promise.all([cache.get('a'), cache.refresh('a'), cache.refresh('a')]);
    expect(asked).toHaveLength(4);
  });

  it('drops the customer who was not used for the longest time', async () => {
    const cache = newCache({ maxEntries: 2 });
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(id);
    expect(asked.map(({ path }) => path.split('/')[3])).toEqual(['a', 'b', 'c', 'b']);
  });

  it('takes events in any order, and keeps the highest version', async () => {
    const cache = newCache();
    await cache.get('a');
    cache.take(stateOf('a', 3, false));
    cache.take(stateOf('a', 2, true));
    cache.take(stateOf('unknown', 1, true));
    const { previous: _, ...expected } = stateOf('a', 3, false);
    expect(await cache.get('a')).toEqual(expected);
    expect(await cache.get('unknown')).toMatchObject({ hasAccess: false, version: 0 });
    expect(asked).toHaveLength(2);
  });

  it('keeps an event that is newer than the answer on its way', async () => {
    const cache = newCache();
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const call = cache.get('a');
    await expect.poll(() => asked).toHaveLength(1);
    cache.take(stateOf('a', 1));
    resolve();
    held = undefined;
    expect(await call).toMatchObject({ version: 1, hasAccess: true });
    expect(await cache.get('a')).toMatchObject({ version: 1 });
  });

  it('takes a lower version from dues itself, whose newest rows may be lost', async () => {
    const customerId = await newCustomer();
    const cache = newCache();
    await cache.get(customerId);
    cache.take(stateOf(customerId, 7, false));
    expect(await cache.refresh(customerId)).toMatchObject({ version: 1, hasAccess: true });
  });

  it('asks again at the time at which a state changes by itself', async () => {
    const customerId = await newCustomer();
    const cache = newCache();
    await cache.get(customerId);
    const validUntil = new Date(world.ctx.clock.now().getTime() + 1_000).toISOString();
    cache.take(stateOf(customerId, 2, false, validUntil));
    cache.pass(999);
    expect(await cache.get(customerId)).toMatchObject({ version: 2 });
    cache.pass(1);
    expect(await cache.get(customerId)).toMatchObject({ version: 1, hasAccess: true });
  });

  it('rejects with the error of dues, also if it may fail open', async () => {
    const cache = newCache({ apiKey: 'sk_test_wrong', failOpenMs: MINUTE });
    const error: unknown = await cache.get('a').catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DuesError);
    expect(error).toMatchObject({ code: 'authentication_error', status: 401 });
    const tooLong = await newCache()
      .get('x'.repeat(256))
      .catch((cause: unknown) => cause);
    expect(tooLong).toMatchObject({ code: 'invalid_request', param: 'customerId' });
  });
});

describe('while dues is stopped', () => {
  it('a state is used no longer than the merchant allows, then asked for again', async () => {
    const customerId = await newCustomer();
    let api = await startApi(world.ctx);
    const { port, url } = api;
    const open = newCache({ url, failOpenMs: 10 * MINUTE });
    const closed = newCache({ url });
    const first = await open.get(customerId);
    await closed.get(customerId);
    await api.close();
    for (const cache of [open, closed]) cache.pass(MINUTE - 1);
    expect(await closed.get(customerId)).toMatchObject({ version: 1 });
    for (const cache of [open, closed]) cache.pass(1);
    await expect(closed.get(customerId)).rejects.toMatchObject({ code: 'connection_error' });
    expect(await open.get(customerId)).toBe(first);
    expect(await open.refresh(customerId)).toBe(first);
    await expect(open.get('never asked for')).rejects.toMatchObject({ code: 'connection_error' });
    open.pass(10 * MINUTE - 1);
    expect(await open.get(customerId)).toBe(first);
    open.pass(1);
    await expect(open.get(customerId)).rejects.toMatchObject({ code: 'connection_error' });
    api = await startApi({ ...world.ctx, config: { ...world.ctx.config, port } });
    expect(await open.get(customerId)).toMatchObject({ version: 1 });
    expect(await closed.get(customerId)).toMatchObject({ version: 1 });
    await api.close();
  });

  it('a state past its end is used as long, and dues is asked once a second', async () => {
    let connections = 0;
    const broken = createServer((_, response) => {
      connections++;
      response.writeHead(502).end('<html>');
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const { port } = broken.address() as { port: number };
    const cache = newCache({ url: `http://127.0.0.1:${port}`, failOpenMs: 5_000 });
    const validUntil = new Date(world.ctx.clock.now().getTime() + 1_000).toISOString();
    const call = cache.get('a');
    cache.take(stateOf('a', 1, true, validUntil));
    expect(await call).toMatchObject({ version: 1 });
    expect(connections).toBe(1);
    cache.pass(1_000);
    for (let index = 0; index < 3; index++) expect(await cache.get('a')).toMatchObject({ version: 1 });
    expect(connections).toBe(2);
    cache.pass(1_000);
    await cache.get('a');
    expect(connections).toBe(3);
    cache.pass(4_000);
    await expect(cache.get('a')).rejects.toMatchObject({ code: 'connection_error', status: 502 });
    await new Promise((resolve) => broken.close(resolve));
  });
});
