/** Four workers on one store share payments and webhooks that are due together. */
import { afterEach, expect, it } from 'vitest';
import { createEndpoint } from '../../src/domain/messages/webhook/create-endpoint.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { startWorker } from '../../workers/main.ts';
import { DAY, PRICE, startWorld, type World } from '../scenarios/world.ts';

const CUSTOMERS = 12;
/** Endpoints besides the one that the world creates. */
const ENDPOINTS = 7;
const binary = findRedisServer();
const stores = [
  { name: 'PostgreSQL', start: async () => undefined },
  ...(binary ? [{ name: 'Redis', start: () => startRedis(binary) }] : []),
];
if (!binary) console.warn('SKIPPED: four workers on Redis: no redis-server on this machine');

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it.each(stores)(
  'no payment is collected twice and no webhook delivered twice on $name',
  async ({ start }) => {
    const redis = await start();
    if (redis) closing.push(() => redis.stop());
    const world: World = await startWorld({ redisUrl: redis?.url });
    closing.push(() => world.close());
    for (let count = 0; count < ENDPOINTS; count++) {
      await createEndpoint(world.ctx, { ...world.scope, url: `${world.receiver.url}/${count}` });
    }
    const planId = await world.plan();
    const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => world.subscriber(planId)));
    await world.quiet();
    const otherWorkers = await Promise.all([1, 2, 3].map(() => startWorker(world.ctx)));
    closing.push(async () => void (await Promise.all(otherWorkers.map((worker) => worker.close()))));
    world.receiver.received.length = 0;

    await world.travel(DAY);

    for (const { id, wallet } of customers) {
      expect(await world.tokensOf(wallet.address)).toBe(98n * PRICE);
      expect((await world.books(id)).map(({ number }) => number)).toHaveLength(2);
    }
    const deliveries = world.receiver.received.map(({ url, headers }) => `${url} ${headers['webhook-id']}`);
    expect(deliveries).toHaveLength(CUSTOMERS * (ENDPOINTS + 1));
    expect(new Set(deliveries).size).toBe(deliveries.length);
  },
);
