import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedDatabase } from '../../src/postgres/embedded.ts';
import { startPostgres } from '../../src/postgres/postgres-process.ts';
import { findRedisServer, startRedis } from '../../tools/redis-server.ts';
import { runDues } from '../../tools/world/dues-process.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { SOON } from '../support/soon.ts';
import { HOUR, PRICE_UNITS, startRoleWorld } from './role-world.ts';

const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server: only an outage of PostgreSQL is tested');

/** A server that can be stopped and restarted at the same address. */
interface Store {
  readonly url: string;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

const folder = await mkdtemp(join(tmpdir(), 'dues-outage-'));
// If we are root, PostgreSQL runs as another user, who must have access to the folder.
await chmod(folder, 0o755);
const database = await startDatabase();
const redis = redisServer ? await startRedisStore(redisServer) : undefined;
const world = await sharedByFile(startRoleWorld({ databaseUrl: database.url, redisUrl: redis?.url }));
afterAll(async () => {
  await redis?.stop();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startDatabase(): Promise<Store> {
  let {
    url,
    folder: files,
    stop,
  } = await startEmbeddedDatabase({
    folder: join(folder, 'postgres'),
    persistent: true,
  });
  const flags = ['-p', new URL(url).port, '-c', 'listen_addresses=127.0.0.1'];
  return {
    url,
    stop: () => stop(),
    async restart() {
      ({ stop } = await startPostgres(files, flags, () => undefined));
    },
  };
}

async function startRedisStore(binary: string): Promise<Store> {
  let { url, stop } = await startRedis(binary);
  return {
    url,
    stop: () => stop(),
    // Redis does not persist data here, so every waiting job is lost.
    async restart() {
      ({ stop } = await startRedis(binary, Number(new URL(url).port)));
    },
  };
}

describe('api, indexer and worker as separate processes', () => {
  it('continue after an outage of PostgreSQL or Redis', async () => {
    expect((await runDues(['migrate'], world.env)).stderr).toBe('');
    const apiKey = await world.createKey();
    const roles = await Promise.all(['api', 'indexer', 'worker'].map((role) => world.start(role)));
    const [api] = roles;
    if (!api) throw new Error('no api');
    const merchant = await world.connectMerchant(api, apiKey);
    const secret = await merchant.createEndpoint(world.receiverUrl);
    await merchant.publishPlan();
    const subscription = await merchant.checkOut(await world.newCustomer());
    const payments = () => world.readPaymentNumbers(secret, subscription);
    await vi.waitFor(() => expect(payments()).toEqual([1]), SOON);

    let paid = 1;
    for (const store of [database, ...(redis ? [redis] : []), database]) {
      await store.stop();
      // A payment becomes due, which cannot be collected or published.
      await world.travel(HOUR);
      if (store === database) await expect(merchant.paymentCount(subscription)).rejects.toThrow('500');
      await store.restart();
      paid += 1;
      await vi.waitFor(() => expect(payments()).toHaveLength(paid), SOON);
      await vi.waitFor(async () => expect(await merchant.paymentCount(subscription)).toBe(paid), SOON);
    }
    expect(payments()).toEqual(Array.from({ length: paid }, (_, index) => index + 1));
    expect(await world.tokensOf(world.merchantWallet.address)).toBe(BigInt(paid) * PRICE_UNITS);
    expect(roles.map(({ isOver }) => isOver)).toEqual([false, false, false]);
    for (const role of roles) expect((await role.ended('SIGTERM')).code).toBe(0);
  });
});
