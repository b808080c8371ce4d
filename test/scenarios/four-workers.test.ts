/** Four workers on one store share payments and webhooks that are due together. */
import { afterEach, expect, it } from 'vitest';
import { createEndpoint } from '../../src/domain/webhook/create-endpoint.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { startWorker } from '../../workers/main.ts';
import { DAY, PRICE, startWorld, type World } from './world.ts';

const CUSTOMERS = 12;
/** Besides the one that every merchant of these tests has. */
const ENDPOINTS = 7;
const binary = findRedisServer();
const stores = [
  { name: 'PostgreSQL', open: async () => undefined },
  ...(binary ? [{ name: 'Redis', open: () => startRedis(binary) }] : []),
];
if (!binary) console.warn('SKIPPED: four workers on Redis: no redis-server on this machine');

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it.each(stores)('no payment and no webhook is made twice on $name', async ({ open }) => {
  const redis = await open();
  if (redis) closing.push(() => redis.stop());
  const world: World = await startWorld({ redisUrl: redis?.url });
  closing.push(() => world.close());
  for (let count = 0; count < ENDPOINTS; count++) {
    await createEndpoint(world.ctx, { ...world.scope, url: `${world.receiver.url}/${count}` });
  }
  const planId = await world.plan();
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => world.subscriber(planId)));
  await world.quiet();
  const others = await Promise.all([1, 2, 3].map(() => startWorker(world.ctx)));
  closing.push(async () => void (await Promise.all(others.map((worker) => worker.close()))));
  world.receiver.received.length = 0;

  await world.travel(DAY);

  for (const { id, wallet } of customers) {
    expect(await world.tokensOf(wallet.address)).toBe(98n * PRICE);
    expect((await world.books(id)).map(({ number }) => number)).toHaveLength(2);
  }
  const posts = world.receiver.received.map(({ url, headers }) => `${url} ${headers['webhook-id']}`);
  expect(posts).toHaveLength(CUSTOMERS * (ENDPOINTS + 1));
  expect(new Set(posts).size).toBe(posts.length);
});
