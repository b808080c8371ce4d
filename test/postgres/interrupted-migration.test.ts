import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { migrationNames } from '../../src/postgres/migrations.ts';
import { applyMigrations } from '../../src/postgres/schema-engine.ts';
import { cloneDatabase, type TestDatabase } from '../support/postgres.ts';
import { SOON } from '../support/soon.ts';
import { createEmptyDatabase } from './databases.ts';

const MIGRATION = '20261122011500_trial_once';

let database: TestDatabase;
let otherSession: Client;
afterEach(async () => {
  await otherSession.end();
  await database.drop();
});

async function connect(): Promise<void> {
  otherSession = new Client({ connectionString: database.url });
  await otherSession.connect();
}

it('two concurrent migrations both succeed', async () => {
  database = await createEmptyDatabase(inject('templateDatabaseUrl'));
  await connect();
  const options = { pauseMs: 50 };
  const applied = await Promise.all([
    applyMigrations(database.url, options),
    applyMigrations(database.url, options),
  ]);
  expect(applied.flat().sort()).toEqual(await migrationNames());
  const { rows } = await otherSession.query('SELECT FROM pg_index WHERE NOT indisvalid');
  expect(rows).toEqual([]);
});

describe('a migration whose answer was lost', () => {
  beforeEach(async () => {
    database = await cloneDatabase(inject('templateDatabaseUrl'));
    await connect();
    await otherSession.query('DELETE FROM "_prisma_migrations" WHERE "migration_name" = $1', [MIGRATION]);
    await otherSession.query('ALTER TABLE "Subscription" DROP COLUMN "trialGranted"');
    await otherSession.query('BEGIN');
    await otherSession.query('SELECT FROM "Subscription"');
  });

  it('and that was applied is not applied again', async () => {
    await disconnectWhileItWaits();
    await otherSession.query('ROLLBACK');
    expect(await applyMigrations(database.url)).toEqual([]);
    await otherSession.query('SELECT "trialGranted" FROM "Subscription"');
  });

  it('and that was rolled back is applied by the next run', async () => {
    await disconnectWhileItWaits();
    await otherSession.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = '"Subscription"'::regclass`,
    );
    await otherSession.query('ROLLBACK');
    expect(await applyMigrations(database.url)).toEqual([MIGRATION]);
    expect(await applyMigrations(database.url)).toEqual([]);
  });
});

/**
 * Disconnects a migration that waits for a lock. The server continues, because it does not check
 * its client while it waits.
 */
async function disconnectWhileItWaits(): Promise<void> {
  const proxy = await startProxy(database.url);
  const migrating = applyMigrations(proxy.url, { lockMs: 60_000 }).catch((error: unknown) => error);
  await vi.waitFor(async () => {
    const { rowCount } = await otherSession.query(
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
  const server = createServer((clientSocket) => {
    const serverSocket = dial(Number(target.port), target.hostname);
    for (const socket of [clientSocket, serverSocket]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    clientSocket.pipe(serverSocket).pipe(clientSocket);
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
