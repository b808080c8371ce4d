import { once } from 'node:events';
import { localCluster } from '../../bin/local-cluster.ts';
import { systemClock } from '../../src/clock.ts';
import { connectDb, type Db } from '../../src/db/db.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { pollUntil } from '../../tools/poll-until.ts';
import { worldConfig } from '../../tools/world/config.ts';
import { startDatabase } from '../../tools/world/database.ts';
import { COLLECTOR_KEY } from '../../tools/world/network.ts';
import { seedScope } from '../../tools/world/rows.ts';
import { createAddress } from '../../tools/world/seed-subscriptions.ts';
import { ask, forkNetwork, startRoles, stop } from '../lib/child-process.ts';
import type { RolesRequest } from '../lib/roles.ts';
import type { NetworkRequest, SeededSubscription } from './network.ts';
import { readWriteTimes } from './rows.ts';
import { seedRows } from './seed.ts';

const AMOUNT = 1_000_000n;

/** A network and a database with the same subscriptions. Indexers can be started between them. */
export interface StreamWorld {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly subscriptions: readonly SeededSubscription[];
  readonly apiKey: string;
  /** Sends a request to the network, and waits for its answer. */
  request<T = unknown>(request: NetworkRequest): Promise<T>;
  /** Starts an indexer in a separate process, with other roles in it. */
  startServer(...others: RolesRequest['roles']): ReturnType<typeof startRoles>;
  /** Waits until the row of every written account has its last state. */
  waitUntilApplied(): Promise<void>;
  /** Waits until a started indexer misses no updates and has stored its position. */
  waitUntilCaughtUp(): Promise<void>;
}

/**
 * Starts a database and a network as processes, with subscriptions to one plan.
 */
export async function startStreamWorld(closing: AsyncDisposableStack, count: number): Promise<StreamWorld> {
  const { url: databaseUrl } = await startDatabase(closing, ['-c', 'track_commit_timestamp=on']);
  const db = connectDb(databaseUrl);
  closing.defer(() => db.$disconnect());
  const network = forkNetwork(new URL('./network.ts', import.meta.url));
  closing.defer(() => stop(network));
  const [urls] = (await once(network, 'message')) as [{ rpcUrl: string; geyserUrl: string }];
  const config = worldConfig(databaseUrl, { clusters: { TEST: localCluster(urls, COLLECTOR_KEY) } });
  const request = <T>(message: NetworkRequest) => ask<T>(network, message);

  const ctx = { config, db, clock: systemClock, wallClock: systemClock };
  const scope = await seedScope(db);
  const terms = { plan: createAddress(), amount: AMOUNT, startedAt: BigInt(Math.floor(Date.now() / 1_000)) };
  const subscriptions = await request<SeededSubscription[]>({ seed: count, ...terms });
  await seedRows(db, scope, { ...terms, subscriptions });
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  const { apiKey } = await createApiKey(ctx, scope, { name: 'bench' });

  const addresses = subscriptions.map(({ address }) => address);
  const areWritten = async (latest: readonly number[], indexes: readonly number[]) => {
    const rows = await readWriteTimes(
      databaseUrl,
      indexes.flatMap((index) => addresses[index] ?? []),
    );
    return indexes.every((index) => (rows.get(addresses[index] ?? '') ?? 0) >= (latest[index] ?? 0));
  };
  return {
    db,
    databaseUrl,
    subscriptions,
    apiKey,
    request,
    startServer: (...others) => startRoles({ config, roles: [...others, 'indexer'] }),
    async waitUntilApplied() {
      const latest = await request<number[]>({ latest: addresses });
      const newest = Math.max(...latest);
      const allIndexes = [...addresses.keys()];
      // The newest row is read first, because reading all rows is expensive.
      await pollUntil(() => areWritten(latest, [latest.lastIndexOf(newest)]), 20);
      await pollUntil(() => areWritten(latest, allIndexes), 20);
    },
    async waitUntilCaughtUp() {
      await pollUntil(async () => (await db.streamPosition.count({ where: { doubt: null } })) > 0, 20);
    },
  };
}
