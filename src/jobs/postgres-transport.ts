import {
  DEFAULT_SCHEMA,
  type PostgresConnectionOptions,
  Queue,
  type QueueBaseOptions,
  runMigrations,
  Worker,
} from 'bullmq';
import type { Pool } from 'pg';
import { advisoryLock } from '../db/advisory-locks.ts';
import { BoundedPool, Patience, withSessionSettings } from '../db/bounded-connection.ts';
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
/** PostgreSQL ends a statement after this time. BullMQ's take milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A connection without an answer for this time is destroyed. */
const ANSWER_TIMEOUT_MS = 20_000;
/** BullMQ's migrations may rewrite a table of many jobs, and wait for those of another process. */
const MIGRATION_TIMEOUT_MS = 10 * 60_000;
/**
 * PostgreSQL ends the transaction that locks the timers, and a session, when they have been idle for
 * this time: their process is stalled or the network was lost. The LISTEN connection is asked more
 * often.
 */
const IDLE_IN_TRANSACTION_MS = 30_000;
const IDLE_SESSION_MS = 60_000;
/** Interval of the checks for stalled jobs. A check is a transaction per worker of a busy queue. */
const STALLED_CHECK_MS = 15_000;

/** Connects to queues in a separate schema (`bullmq`) of our database. */
export async function connectPostgresTransport(databaseUrl: string, use: TransportUse): Promise<Transport> {
  const settings = { search_path: DEFAULT_SCHEMA };
  await migrate(withSessionSettings(databaseUrl, settings));
  const patience = new Patience(ANSWER_TIMEOUT_MS);
  const pool = new BoundedPool({
    patience,
    connectionString: withSessionSettings(databaseUrl, {
      ...settings,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      idle_session_timeout: IDLE_SESSION_MS,
    }),
    max: CONNECTIONS[use],
  });
  // All workers listen on the same connection.
  pool.on('connect', (client) => client.setMaxListeners(0));
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
    stopping: () => patience.shorten(),
    // Before the process stops, queries to an unreachable server only fail.
    isAway: () => patience.hasGivenUp,
    whenAway: () => patience.whenGivenUp(),
    isReported: () => false,
    abandon: () => {
      connection
        .close()
        .then(() => pool.end())
        .catch(() => undefined);
    },
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}

/**
 * Uses one connection, because BullMQ holds an advisory lock while it migrates: several processes
 * may start at the same time.
 */
async function migrate(connectionString: string): Promise<void> {
  const pool = new BoundedPool({ patience: new Patience(MIGRATION_TIMEOUT_MS), connectionString, max: 1 });
  try {
    const client = await pool.connect();
    await runMigrations(client).finally(() => client.release());
  } finally {
    await pool.end();
  }
}

async function runLocked(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT ${advisoryLock('timers')}`);
    await work();
  } finally {
    // The lock ends with the transaction.
    await client.query('ROLLBACK').finally(() => client.release());
  }
}
