import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { migrationNames } from '../../src/postgres/migrations.ts';
import { applyMigrations } from '../../src/postgres/schema-engine.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';
import { emptyDatabase } from './databases.ts';

const MIGRATION = '20261122011500_trial_once';
const SOON = { timeout: 20_000, interval: 20 };

let database: TestDatabase;
let other: Client;
afterEach(async () => {
  await other.end();
  await database.drop();
});

async function connect(): Promise<void> {
  other = new Client({ connectionString: database.url });
  await other.connect();
}

it('two concurrent migrations both succeed', async () => {
  database = await emptyDatabase(inject('templateDatabaseUrl'));
  await connect();
  const patience = { pauseMs: 50 };
  const applied = await Promise.all([
    applyMigrations(database.url, patience),
    applyMigrations(database.url, patience),
  ]);
  expect(applied.flat().sort()).toEqual(await migrationNames());
  const { rows } = await other.query('SELECT FROM pg_index WHERE NOT indisvalid');
  expect(rows).toEqual([]);
});

describe('a migration whose answer was lost', () => {
  beforeEach(async () => {
    database = await cloneDatabase(inject('templateDatabaseUrl'));
    await connect();
    await other.query('DELETE FROM "_prisma_migrations" WHERE "migration_name" = $1', [MIGRATION]);
    await other.query('ALTER TABLE "Subscription" DROP COLUMN "trialGranted"');
    await other.query('BEGIN');
    await other.query('SELECT FROM "Subscription"');
  });

  it('and that was applied is not applied again', async () => {
    await cutWhileItWaits();
    await other.query('ROLLBACK');
    expect(await applyMigrations(database.url)).toEqual([]);
    await other.query('SELECT "trialGranted" FROM "Subscription"');
  });

  it('and that was rolled back is applied by the next run', async () => {
    await cutWhileItWaits();
    await other.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = '"Subscription"'::regclass`,
    );
    await other.query('ROLLBACK');
    expect(await applyMigrations(database.url)).toEqual([MIGRATION]);
    expect(await applyMigrations(database.url)).toEqual([]);
  });
});

/** The server continues: it does not check its client while it waits for a lock. */
async function cutWhileItWaits(): Promise<void> {
  const proxy = await startProxy(database.url);
  const migrating = applyMigrations(proxy.url, { lockMs: 60_000 }).catch((error: unknown) => error);
  await vi.waitFor(async () => {
    const { rowCount } = await other.query(
      `SELECT FROM pg_locks WHERE NOT granted AND relation = '"Subscription"'::regclass`,
    );
    expect(rowCount).toBe(1);
  }, SOON);
  proxy.cut();
  expect(await migrating).toBeInstanceOf(Error);
}

async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = `${(server.address() as AddressInfo).port}`;
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, cut };
}
