import {
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type Job,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { Config } from '../config.ts';
import { type JobName, jobNames } from './catalog.ts';

type OnError = { on(event: 'error', listener: (error: Error) => void): unknown };
/** What we use of BullMQ's queue, on whichever store. */
export type JobQueue = OnError &
  Pick<Queue, 'add' | 'addBulk' | 'upsertJobScheduler' | 'getJobScheduler' | 'getJobCounts' | 'close'>;
/** What we use of BullMQ's worker, on whichever store. */
export type JobWorker = OnError & {
  on(event: 'failed', listener: (job: Job | undefined, error: Error) => void): unknown;
} & Pick<Worker, 'waitUntilReady' | 'pause' | 'close'>;

type Process = (job: Job) => Promise<void>;
type Settings = Pick<WorkerOptions, 'concurrency' | 'maxStalledCount'>;

/** Where queues are kept. Whoever opened queues and workers closes them before the transport. */
export interface Transport {
  queue(name: JobName): JobQueue;
  worker(name: JobName, process: Process, settings: Settings): JobWorker;
  /** Runs it while no other process is in here, where the store's own commands are not enough for that. */
  alone(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Redis where it is configured, else a schema of its own (`bullmq`) in our database. */
export function connectTransport(config: Config, use: 'add' | 'work'): Promise<Transport> {
  return config.redisUrl ? onRedis(config.redisUrl, use) : onPostgres(config.databaseUrl, use);
}

async function onRedis(redisUrl: string, use: 'add' | 'work'): Promise<Transport> {
  // Whoever adds a job has a caller waiting and wants to hear that Redis is away; a worker waits until it is back.
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: use === 'add' ? 1 : null });
  return {
    queue: (name) => new Queue(name, { connection }),
    worker: (name, process, settings) => new Worker(name, process, { connection, ...settings }),
    // Every command of BullMQ is one script there.
    alone: (work) => work(),
    close: async () => {
      await connection.quit();
    },
  };
}

async function onPostgres(databaseUrl: string, use: 'add' | 'work'): Promise<Transport> {
  // One pool for all queues: BullMQ's own would be one each. Every worker keeps a connection of it to LISTEN on.
  const connection = new Pool({
    connectionString: databaseUrl,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
    keepAlive: true,
    max: use === 'add' ? 4 : jobNames.length + 6,
  });
  connection.setMaxListeners(0);
  // A connection that breaks while nobody waits for it says so here; without a listener that would end the process. Who
  // waits for an answer gets the error as well.
  const ignore = () => undefined;
  connection.on('error', ignore);
  connection.on('connect', (client) => client.on('error', ignore));
  try {
    await migrate(connection);
  } catch (error) {
    await connection.end();
    throw error;
  }
  return {
    queue: (name) => new Queue(name, { connection }, createPostgresBackend),
    worker: (name, process, settings) =>
      new Worker(name, process, { connection, ...settings }, createPostgresBackend),
    alone: (work) => locked(connection, work),
    close: () => connection.end(),
  };
}

// Many may start at once: BullMQ runs this under an advisory lock, which needs one connection for all of it.
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
    // The lock ends with the transaction, however that ends.
    await client.query('ROLLBACK').finally(() => client.release());
  }
}
