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
import { pauseAfterErrors } from './pause-after-errors.ts';
import { SharedConnection, SharingBackend, WorkingBackend } from './postgres-backend.ts';
import type { Transport, TransportUse } from './transport.ts';

/**
 * Maximum connections per process; few, because PostgreSQL has few. All workers share one for
 * LISTEN, one is for the lock of the timers, and at least one remains to fetch and end jobs.
 */
const CONNECTIONS: Readonly<Record<TransportUse, number>> = { work: 3, add: 1 };

/**
 * Interval at which an idle worker polls, in case a notification was lost on an open connection.
 * Normally it is notified of new jobs, and it has a timer for the next delayed job.
 */
const IDLE_SECONDS = 300;
/** Interval of the checks for stalled jobs. A check is a transaction per worker of a busy queue. */
const STALLED_CHECK_MS = 15_000;

/** Connects to queues in a separate schema (`bullmq`) of our database. */
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
  const createQueueBackend = (name: string, opts: Options) => new SharingBackend(connection, name, opts);
  const createWorkerBackend = (lockMs: number) => (name: string, opts: Options) =>
    new WorkingBackend(connection, name, opts, { busy, lockMs });
  return {
    queue: (name) => new Queue(name, { connection: pool }, createQueueBackend),
    worker: (name, process, settings) =>
      new Worker(
        name,
        process,
        { connection: pool, drainDelay: IDLE_SECONDS, ...settings },
        pauseAfterErrors(createWorkerBackend(settings.lockDuration)),
      ),
    stalledCheckMs: STALLED_CHECK_MS,
    runExclusively: (work) => runLocked(pool, work),
    // Queries to an unreachable server fail soon, so outages are not tracked.
    isAway: () => false,
    whenAway: () => new Promise(() => undefined),
    isReported: () => false,
    abandon: () => undefined,
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}

// Uses one connection, because BullMQ holds an advisory lock while it migrates: several processes
// may start at the same time.
async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
}

async function runLocked(pool: Pool, work: () => Promise<void>): Promise<void> {
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
