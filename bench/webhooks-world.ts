import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { newKeyPairBytes } from '../bin/key-pair.ts';
import { applyMigrations } from '../src/database/schema-engine.ts';
import { connectDb, type Db } from '../src/db.ts';
import { createJobs, type Jobs } from '../src/jobs/jobs.ts';
import { createLog } from '../src/log.ts';
import { DUES_FLAGS, forkModule } from './child-process.ts';
import { startBenchDatabase } from './database.ts';
import { LocalnetClient } from './localnet-client.ts';
import { type SeededMerchant, seedMerchant } from './webhooks-seed.ts';

export const MERCHANTS = 20;
export const SUBSCRIPTIONS_EACH = 500;

/** A database of twenty merchants with an endpoint each, and a `dues worker` that serves it. */
export interface Side {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly log: ReturnType<typeof createLog>;
  readonly merchants: readonly SeededMerchant[];
  /** One more, whose endpoint is at another path of the receiver. */
  newMerchant(others?: { readonly subscriptions?: number; readonly path?: string }): Promise<SeededMerchant>;
}

export interface World {
  readonly receiver: Receiver;
  /** Rejects when a worker ends by itself. */
  readonly broken: Promise<never>;
  /** In a database of its own. */
  newSide(name: string): Promise<Side>;
}

/** PostgreSQL, the receiver and a local network, each in a process of its own. `closing` takes what must be stopped. */
export async function startWorld(closing: AsyncDisposableStack): Promise<World> {
  const database = await startBenchDatabase(closing);
  const admin = connectDb(database.url);
  closing.defer(() => admin.$disconnect());
  const [receiver, { url }] = await forked<{ url: string }>('./webhooks-receiver.ts');
  closing.defer(() => receiver.disconnect());
  // The worker's role needs a cluster, though there is nothing to collect.
  const [localnet, { rpcUrl }] = await forked<{ rpcUrl: string }>('./localnet-server.ts');
  closing.defer(() => localnet.disconnect());
  const collectorKey = await newKeyPairBytes();
  const { address: collector } = await createKeyPairSignerFromBytes(collectorKey);
  const client = new LocalnetClient(rpcUrl, 1);
  await client.call('surfnet_setAccount', [collector, { lamports: 1_000_000_000_000 }]);
  client.close();
  const broken = Promise.withResolvers<never>();

  return {
    receiver: new Receiver(receiver, url),
    broken: broken.promise,
    async newSide(name) {
      await admin.$executeRawUnsafe(`CREATE DATABASE ${name}`);
      const databaseUrl = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
      await applyMigrations(databaseUrl);
      const db = connectDb(databaseUrl);
      closing.defer(() => db.$disconnect());
      const secretKey = randomBytes(32);
      const log = createLog('error');
      const jobs = createJobs({ databaseUrl, redisUrl: undefined } as Parameters<typeof createJobs>[0], log);
      closing.defer(() => jobs.close());
      const newMerchant: Side['newMerchant'] = ({ subscriptions = 0, path = '/hook' } = {}) =>
        seedMerchant(db, { secretKey: new Uint8Array(secretKey), url: url + path, subscriptions });
      const merchants: SeededMerchant[] = [];
      for (let count = 0; count < MERCHANTS; count++) {
        merchants.push(await newMerchant({ subscriptions: SUBSCRIPTIONS_EACH }));
      }
      const worker = startWorker({
        DATABASE_URL: databaseUrl,
        SECRET_KEY: secretKey.toString('base64'),
        WEBHOOK_HOSTS_ALLOWED: '127.0.0.1',
        TEST_RPC_URL: rpcUrl,
        TEST_COLLECTOR_KEY: JSON.stringify([...collectorKey]),
      });
      const whenEnded = (code: unknown) => broken.reject(new Error(`a worker has ended with ${code}`));
      worker.once('exit', whenEnded);
      closing.defer(() => stop(worker.off('exit', whenEnded)));
      return { db, jobs, log, merchants, newMerchant };
    },
  };
}

/** A merchants' server that notes when each webhook came. */
export class Receiver {
  readonly url: string;
  readonly #process: ChildProcess;

  constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  /** What has come since it was last asked, in milliseconds since the Unix epoch. */
  async arrivals(): Promise<[id: string, at: number][]> {
    this.#process.send('report');
    const [{ arrivals }] = (await once(this.#process, 'message')) as [{ arrivals: [string, number][] }];
    return arrivals;
  }
}

async function forked<T>(file: `./${string}.ts`): Promise<[ChildProcess, T]> {
  const child = forkModule(file);
  const [message] = (await once(child, 'message')) as [T];
  return [child, message];
}

/** The role as it is run: every job there is, not the webhooks alone. */
function startWorker(variables: Readonly<Record<string, string>>): ChildProcess {
  const dues = fileURLToPath(new URL('../bin/dues.ts', import.meta.url));
  return spawn(process.execPath, [...DUES_FLAGS, dues, 'worker'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...variables },
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
