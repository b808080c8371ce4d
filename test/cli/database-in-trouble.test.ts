import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createDuesClient } from '../../client/dues-client.ts';
import { findRedisServer, startRedis, type TestRedis } from '../../tools/redis-server.ts';
import { type DuesProcess, runDues } from '../../tools/world/dues-process.ts';
import { createEmptyDatabase } from '../postgres/databases.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';
import { type DatabaseGate, openDatabaseGate } from './database-gate.ts';
import { HOUR, type RoleWorld, startRoleWorld } from './role-world.ts';

const redisServer = findRedisServer();
if (!redisServer) console.warn('SKIPPED: no redis-server: only jobs in PostgreSQL are tested');
const stores = [
  { store: 'PostgreSQL alone', redis: async () => undefined },
  ...(redisServer ? [{ store: 'Redis', redis: () => startRedis(redisServer) }] : []),
];

/** About six seconds of the network's clock. */
const BLOCKS = 120;
/** Maximum attempts a second with pauses. A loop without a pause makes thousands. */
const MAX_ATTEMPTS_PER_SECOND = 40;

describe.each(stores)('roles whose database answers only with errors, with $store', (store) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let gates: DatabaseGate[];
  let world: RoleWorld;
  let roles: DuesProcess[];
  let merchant: Awaited<ReturnType<RoleWorld['connectMerchant']>>;
  let secret: string;
  let subscription: string;
  let paid = 1;
  const stopping = new AbortController();
  const received: string[] = [];
  let listening: Promise<void>;

  beforeAll(async () => {
    redis = await store.redis();
    database = await createEmptyDatabase(inject('templateDatabaseUrl'));
    world = await startRoleWorld({ databaseUrl: database.url, redisUrl: redis?.url });
    expect((await runDues(['migrate'], world.env)).stderr).toBe('');
    const apiKey = await world.createKey();
    gates = await Promise.all(ROLES.map(() => openDatabaseGate(database.url)));
    roles = await Promise.all(ROLES.map((role, index) => world.start(role, gates[index]?.url)));
    const [api] = roles as [DuesProcess, ...DuesProcess[]];
    merchant = await world.connectMerchant(api, apiKey);
    secret = await merchant.createEndpoint(world.receiverUrl);
    await merchant.publishPlan();
    const { signal } = stopping;
    const events = createDuesClient({ url: merchant.url, apiKey }).events({ signal });
    listening = (async () => {
      for await (const { type } of events) received.push(type);
    })();
    subscription = await merchant.checkOut(await world.newCustomer());
    await waitUntilPaid();
  });
  afterAll(async () => {
    stopping.abort();
    await listening;
    await world.close();
    await Promise.all(gates.map((gate) => gate.close()));
    await redis?.stop();
    await database.drop();
  });

  async function waitUntilPaid(): Promise<void> {
    await vi.waitFor(() => expect(world.readPaymentNumbers(secret, subscription)).toHaveLength(paid), SOON);
    const payments = () => received.filter((type) => type === 'subscription.payment_succeeded');
    await vi.waitFor(() => expect(payments()).toHaveLength(paid), SOON);
  }

  /** Expects that the due payment is collected, that its webhook arrives, and that no role ended. */
  async function expectRecovery(): Promise<void> {
    paid += 1;
    await waitUntilPaid();
    expect(roles.map(({ isOver }) => isOver)).toEqual([false, false, false]);
  }

  it('wait between two attempts to connect, and continue once the database is back', async () => {
    for (const gate of gates) gate.shut();
    const since = performance.now();
    await world.travel(HOUR);
    await world.blocks(BLOCKS);
    const attempts = Object.fromEntries(ROLES.map((role, index) => [role, gates[index]?.refusedCount]));
    const maximum = maxAttempts(since);
    for (const gate of gates) gate.open();
    for (const role of ROLES) expect(attempts[role], role).toBeLessThan(maximum);
    await expectRecovery();
  });

  it('wait between two failed statements, and continue once these succeed', async () => {
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    const name = new URL(database.url).pathname.slice(1);
    const setReadOnly = async (value: boolean) => {
      await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      // Only new sessions use that setting.
      await admin.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
        [name],
      );
    };
    const countRollbacks = async () => {
      const { rows } = await admin.query<{ count: string }>(
        'SELECT xact_rollback AS count FROM pg_stat_database WHERE datname = $1',
        [name],
      );
      return Number(rows[0]?.count);
    };
    await setReadOnly(true);
    await world.travel(HOUR);
    const before = await countRollbacks();
    const since = performance.now();
    await world.blocks(BLOCKS);
    const attempts = (await countRollbacks()) - before;
    const maximum = ROLES.length * maxAttempts(since);
    await admin.query('SET default_transaction_read_only = false');
    await setReadOnly(false);
    await admin.end();
    expect(attempts).toBeLessThan(maximum);
    await expectRecovery();
  });
});

const ROLES = ['api', 'indexer', 'worker'];

/** The maximum attempts of a role since a time: a slow machine takes longer, and may try more often. */
function maxAttempts(since: number): number {
  return (MAX_ATTEMPTS_PER_SECOND * (performance.now() - since)) / 1000;
}
