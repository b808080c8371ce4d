import {
  DEFAULT_SCHEMA,
  type PostgresConnectionOptions,
  Queue,
  type QueueBaseOptions,
  runMigrations,
  Worker,
} from 'bullmq';
import { Pool } from 'pg';
import { BusyQueues } from './busy-queues.ts';
import { pausing } from './pausing.ts';
import { SharedConnection, SharingBackend, WorkingBackend } from './postgres-backend.ts';
import type { Transport, TransportUse } from './transport.ts';

/**
 * Connections per process, because PostgreSQL has few. All workers share one for LISTEN, one is for
 * the lock of the timers, and at least one remains to fetch and end jobs.
 */
const CONNECTIONS: Readonly<Record<TransportUse, number>> = { work: 3, add: 1 };

/**
 * How often an idle worker polls, in case a notification was lost on an open connection. Normally it
 * is notified of new jobs, and has a timer for the next delayed one.
 */
const IDLE_SECONDS = 300;
/** Each check is a transaction per worker and queue with jobs. */
const STALLED_CHECK_MS = 15_000;

/** Connects queues that are in a separate schema (`bullmq`) of our database. */
export async function connectPostgresTransport(databaseUrl: string, use: TransportUse): Promise<Transport> {
  const pool = new Pool({
    connectionString: databaseUrl,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
    keepAlive: true,
    max: CONNECTIONS[use],
  });
  // Without a listener, the error of a broken idle connection would end the process. A running
  // query rejects with the error too.
  const ignore = () => undefined;
  pool.on('error', ignore);
  // All workers listen on the same connection.
  pool.on('connect', (client) => client.on('error', ignore).setMaxListeners(0));
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const connection = new SharedConnection(pool);
  connection.setMaxListeners(0);
  const busy = new BusyQueues((text, values) => pool.query(text, values));
  type Options = QueueBaseOptions<PostgresConnectionOptions>;
  const ofQueue = (name: string, opts: Options) => new SharingBackend(connection, name, opts);
  const ofWorker = (lockMs: number) => (name: string, opts: Options) =>
    new WorkingBackend(connection, name, opts, { busy, lockMs });
  return {
    queue: (name) => new Queue(name, { connection: pool }, ofQueue),
    worker: (name, process, settings) =>
      new Worker(
        name,
        process,
        { connection: pool, drainDelay: IDLE_SECONDS, ...settings },
        pausing(ofWorker(settings.lockDuration)),
      ),
    stalledCheckMs: STALLED_CHECK_MS,
    alone: (work) => locked(pool, work),
    // Queries to an unreachable server fail soon, so no state of its own is needed.
    isAway: () => false,
    goneAway: () => new Promise(() => undefined),
    isReported: () => false,
    abandon: () => undefined,
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}

// Several processes may start at once: BullMQ migrates under an advisory lock on one connection.
async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
}

async function locked(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('dues: timers'))`);
    await work();
  } finally {
    // The lock ends with the transaction.
    await client.query('ROLLBACK').finally(() => client.release());
  }
}
