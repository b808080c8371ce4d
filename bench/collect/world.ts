import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { localCluster } from '../../bin/local-cluster.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { connectDb, type Db } from '../../src/db/db.ts';
import { startDatabase } from '../../tools/world/database.ts';
import type { LocalnetClient } from '../../tools/world/localnet-client.ts';
import { COLLECTOR, COLLECTOR_KEY } from '../../tools/world/network.ts';
import { roleVariables } from '../../tools/world/role-variables.ts';
import { HOUR_SECONDS, seedSubscriptions } from '../../tools/world/seed-subscriptions.ts';
import { startNetworkProcess, startWorker, terminate } from '../lib/child-process.ts';

const CONNECTIONS = 32;
const TIMEOUT_MS = 300_000;

/** PostgreSQL and the local network as processes, and subscriptions with due first payments. */
export interface CollectWorld {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly client: LocalnetClient;
  readonly chain: Chain;
  readonly rpcUrl: string;
  /**
   * Runs the function, which gets the worker's process id, while a worker process with these environment
   * variables runs.
   *
   * @param folder of another release
   */
  withWorker(
    variables: Readonly<Record<string, string>>,
    work: (workerPid: number) => Promise<void>,
    folder?: string,
  ): Promise<void>;
  /** Makes the next period's payments due. Resolves with the seconds until all are settled. */
  collectPeriod(): Promise<number>;
  /** The number of periods that have become due. */
  readonly periods: () => number;
}

/** @param closing collects everything that must be stopped at the end */
export async function startCollectWorld(closing: AsyncDisposableStack, count: number): Promise<CollectWorld> {
  const database = await startDatabase(closing);
  const { client, rpcUrl, geyserUrl } = await startNetworkProcess(closing, CONNECTIONS);
  const db = connectDb(database.url);
  closing.defer(() => db.$disconnect());

  const since = performance.now();
  const startedAt = Math.floor(Date.now() / 1000);
  await seedSubscriptions({ client, db, collector: COLLECTOR }, { count, startedAt });
  // The seed writes as a release without states does. What follows from that is no part of a charge.
  await db.$executeRaw`DELETE FROM "StateRefresh"`;
  console.log(`${count} subscriptions seeded in ${((performance.now() - since) / 1000).toFixed(1)} s`);

  const environment = {
    ...process.env,
    NODE_OPTIONS: process.env.BENCH_WORKER_OPTIONS ?? '',
    ...roleVariables(database.url, { rpcUrl }),
    LOG_LEVEL: 'error',
  };
  let periods = 0;
  return {
    db,
    databaseUrl: database.url,
    client,
    rpcUrl,
    chain: await createChain('TEST', localCluster({ rpcUrl, geyserUrl }, COLLECTOR_KEY)),
    periods: () => periods,
    async withWorker(variables, work, folder) {
      const worker = startWorker({ ...environment, ...variables }, folder);
      // Otherwise the bench would wait for a worker that has ended.
      const ended = once(worker, 'exit').then(([code]) => {
        throw new Error(`the worker has ended with ${code}`);
      });
      try {
        await Promise.race([work(worker.pid ?? 0), ended]);
      } finally {
        ended.catch(() => undefined);
        await terminate(worker);
      }
    },
    async collectPeriod() {
      const start = performance.now();
      const now = startedAt + periods * HOUR_SECONDS;
      if (periods > 0) await client.travelTo(now * 1000);
      periods += 1;
      await waitUntilSettled(db, new Date(now * 1000));
      return (performance.now() - start) / 1000;
    },
  };
}

/** Waits until all payments that were due at that time are settled. */
async function waitUntilSettled(db: Db, now: Date): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await db.$queryRaw<{ open: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM "Subscription" WHERE "environment" = 'TEST' AND "nextAttemptAt" <= ${now}
          AND "status" IN ('ACTIVE', 'PAST_DUE'))
        OR EXISTS (SELECT 1 FROM "TransferTransaction" WHERE "environment" = 'TEST' AND "status" = 'SUBMITTED')
        AS "open"`;
    if (row && !row.open) return;
    if (performance.now() > deadline) throw new Error(`payments are still open after ${TIMEOUT_MS} ms`);
    await wait(50);
  }
}
