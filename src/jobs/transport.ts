import { setTimeout as wait } from 'node:timers/promises';
import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  type IQueueBackend,
  isNotConnectionError,
  type Job,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { Outage } from '../outage.ts';
import { type JobName, jobNames } from './catalog.ts';
import { endConnection, watchConnection } from './redis-connection.ts';

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
  /** Whether the store is known to be out of reach. */
  isAway(): boolean;
  /** Resolves when it goes out of reach, and never where it stays. */
  goneAway(): Promise<void>;
  /** Whether that is what an error says, which then need not be logged: the outage itself is, once. */
  toldAlready(error: Error): boolean;
  /** Fails what still waits for the store, where that is out of reach. For whoever must end now. */
  abandon(): void;
  close(): Promise<void>;
}

/** Redis where it is configured, else a schema of its own (`bullmq`) in our database. */
export function connectTransport(config: Config, use: 'add' | 'work', log: Logger): Promise<Transport> {
  return config.redisUrl ? onRedis(config.redisUrl, use, log) : onPostgres(config.databaseUrl, use);
}

async function onRedis(redisUrl: string, use: 'add' | 'work', log: Logger): Promise<Transport> {
  // Whoever adds a job has a caller waiting and wants to hear that Redis is away; a worker waits until it is back.
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: use === 'add' ? 1 : null });
  const outage = new Outage(log, use === 'add' ? 'Redis for new jobs' : 'Redis for jobs');
  watchConnection(connection, outage);
  return {
    queue: (name) => new Queue(name, { connection }),
    worker: (name, process, settings) =>
      new Worker(name, process, { connection, ...settings }, pausing(createRedisBackend)),
    // Every command of BullMQ is one script there.
    alone: (work) => work(),
    isAway: () => outage.isOn,
    goneAway: () => new Promise((resolve) => connection.once('close', () => resolve())),
    // BullMQ has connections of its own, which notice at other moments than ours.
    toldAlready: (error) => outage.isOn || !isNotConnectionError(error) || 'syscall' in error,
    abandon: () => connection.disconnect(),
    close: () => endConnection(connection),
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
      new Worker(name, process, { connection, ...settings }, pausing(createPostgresBackend)),
    alone: (work) => locked(connection, work),
    // It fails what it is asked by itself, and soon.
    isAway: () => false,
    goneAway: () => new Promise(() => undefined),
    toldAlready: () => false,
    abandon: () => undefined,
    close: () => connection.end(),
  };
}

const PAUSE_AFTER_ERROR_MS = 1_000;

/**
 * A worker of BullMQ 6.7 that gets an error from its store asks again at once, or a tenth of a second later, for as long as the
 * store answers with errors (it starts, its disk is full, it may only be read). So errors are told a second later.
 */
function pausing<B extends IQueueBackend, C>(createBackend: BackendFactory<B, C>): BackendFactory<B, C> {
  return (...args) => {
    const backend = createBackend(...args);
    backend.moveToActive = failingSlowly(backend.moveToActive.bind(backend));
    backend.waitForJob = failingSlowly(backend.waitForJob.bind(backend));
    return backend;
  };
}

function failingSlowly<Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) {
  return async (...asked: Asked): Promise<Answer> => {
    try {
      return await ask(...asked);
    } catch (error) {
      await wait(PAUSE_AFTER_ERROR_MS);
      throw error;
    }
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
