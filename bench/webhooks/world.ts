import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connectDb, type Db } from '../../src/db/db.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { createLog } from '../../src/observability/log.ts';
import { applyMigrations } from '../../src/postgres/schema-engine.ts';
import { namedDatabaseUrl, startDatabase } from '../../tools/world/database.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { forkModule, startNetworkProcess, startWorker, terminate } from '../lib/child-process.ts';
import { type SeededMerchant, seedMerchant } from './seed.ts';

export const MERCHANTS = 20;
export const SUBSCRIPTIONS_EACH = 500;

/**
 * A database with twenty merchants that have one endpoint each, and one or more `dues worker`
 * processes.
 */
export interface Side {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly log: ReturnType<typeof createLog>;
  readonly merchants: readonly SeededMerchant[];
  /** The process ids of its workers, in the order of their numbers. */
  readonly workerPids: readonly number[];
  /** Adds a merchant whose endpoint is at a path of the receiver (default /hook). */
  newMerchant(options?: { readonly subscriptions?: number; readonly path?: string }): Promise<SeededMerchant>;
}

export interface World {
  readonly receiver: Receiver;
  /** Rejects when a worker ends without being stopped. */
  readonly broken: Promise<never>;
  /** Creates a database and starts its workers. Without Redis, the queues are in the database. */
  newSide(name: string, options?: { readonly redisUrl?: string; readonly workers?: number }): Promise<Side>;
}

/**
 * Starts PostgreSQL, the receiver and a local network as processes. `closing` ends them.
 */
export async function startWorld(closing: AsyncDisposableStack): Promise<World> {
  const database = await startDatabase(closing);
  const admin = connectDb(database.url);
  closing.defer(() => admin.$disconnect());
  const receiver = forkModule(new URL('./receiver.ts', import.meta.url));
  closing.defer(() => receiver.disconnect());
  const [{ url }] = (await once(receiver, 'message')) as [{ url: string }];
  // The worker needs a cluster, although nothing is collected.
  const { rpcUrl } = await startNetworkProcess(closing, 1);
  const broken = Promise.withResolvers<never>();

  return {
    receiver: new Receiver(receiver, url),
    broken: broken.promise,
    async newSide(name, { redisUrl, workers = 1 } = {}) {
      await admin.$executeRawUnsafe(`CREATE DATABASE ${name}`);
      const databaseUrl = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
      await applyMigrations(databaseUrl);
      const db = connectDb(databaseUrl);
      closing.defer(() => db.$disconnect());
      const secretKey = randomBytes(32);
      const log = createLog('error');
      const jobs = createJobs({ databaseUrl, redisUrl } as Parameters<typeof createJobs>[0], log);
      closing.defer(() => jobs.close());
      const newMerchant: Side['newMerchant'] = ({ subscriptions = 0, path = '/hook' } = {}) =>
        seedMerchant(db, { secretKey: new Uint8Array(secretKey), url: url + path, subscriptions });
      const merchants: SeededMerchant[] = [];
      for (let count = 0; count < MERCHANTS; count++) {
        merchants.push(await newMerchant({ subscriptions: SUBSCRIPTIONS_EACH }));
      }
      const workerPids: number[] = [];
      for (let number = 1; number <= workers; number++) {
        const worker = startWorker(
          roleVariables(
            namedDatabaseUrl(databaseUrl, number),
            { rpcUrl },
            { REDIS_URL: redisUrl, SECRET_KEY: secretKey.toString('base64'), CLOCK: 'system' },
          ),
        );
        workerPids.push(worker.pid as number);
        const rejectBroken = (code: unknown) => broken.reject(new Error(`a worker has ended with ${code}`));
        worker.once('exit', rejectBroken);
        closing.defer(() => terminate(worker.off('exit', rejectBroken)));
      }
      return { db, jobs, log, merchants, workerPids, newMerchant };
    },
  };
}

/** The server of all merchants, which records when each webhook arrives. */
export class Receiver {
  readonly url: string;
  readonly #process: ChildProcess;

  constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  /** Arrivals since the last call, in milliseconds since the Unix epoch. */
  async arrivals(): Promise<[id: string, at: number][]> {
    this.#process.send('report');
    const [{ arrivals }] = (await once(this.#process, 'message')) as [{ arrivals: [string, number][] }];
    return arrivals;
  }
}
