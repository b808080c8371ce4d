import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { createEmptyDatabase } from '../postgres/databases.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import { HOUR, PRICE_UNITS, startRoleWorld } from './role-world.ts';

const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server: only roles with PostgreSQL are tested');

const redis = redisServer ? await startRedis(redisServer) : undefined;
const database = await sharedByFile(createEmptyDatabase(inject('templateDatabaseUrl')));
const world = await sharedByFile(startRoleWorld({ databaseUrl: database.url, redisUrl: redis?.url }));
afterAll(async () => {
  await redis?.stop();
});

describe(`the roles as processes, ${redisServer ? 'with Redis' : 'only with PostgreSQL'}`, () => {
  it('publish, check out, collect and deliver, also when a worker is killed', async () => {
    const migrated = await runDues(['migrate'], world.env);
    expect(migrated.stderr).toBe('');
    expect(migrated.stdout).toMatch(/^applied \d+/);
    const repeated = await runDues(['migrate'], world.env);
    expect(repeated.stdout).toBe('nothing to apply\n');
    const apiKey = await world.createKey();

    const [api, indexer, worker, killedWorker] = await Promise.all([
      world.start('api'),
      world.start('indexer'),
      world.start('worker'),
      world.start('worker'),
    ]);
    const merchant = await world.connectMerchant(api, apiKey);
    const secret = await merchant.createEndpoint(world.receiverUrl);
    await merchant.publishPlan();
    const subscription = await merchant.checkOut(await world.newCustomer());

    const payments = () => world.readPaymentNumbers(secret, subscription);
    await vi.waitFor(() => expect(payments()).toEqual([1]), SOON);
    expect(killedWorker.isOver).toBe(false);
    await killedWorker.ended('SIGKILL');
    for (const number of [2, 3]) {
      await world.travel(HOUR);
      await vi.waitFor(() => expect(payments().at(-1)).toBe(number), SOON);
    }
    expect(payments()).toEqual([1, 2, 3]);
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(3n * PRICE_UNITS);
    await vi.waitFor(async () => expect(await merchant.paymentCount(subscription)).toBe(3), SOON);

    for (const role of [api, indexer, worker]) {
      const ended = await role.ended('SIGTERM');
      expect(ended.code).toBe(0);
      expect(ended.tookMs).toBeLessThan(10_000);
    }
  });
});
