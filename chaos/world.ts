import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { Keypair } from '@solana/web3.js';
import { GraphQLClient } from 'graphql-request';
import { localCluster } from '../bin/local-cluster.ts';
import { createChain } from '../src/chain/create-chain.ts';
import { systemClock } from '../src/clock.ts';
import { connectDb, type Db } from '../src/db/db.ts';
import { createApiKey } from '../src/domain/accounts/api-key/create-api-key.ts';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { freePort } from '../src/postgres/free-port.ts';
import { applyMigrations } from '../src/postgres/schema-engine.ts';
import { startPostgresPair } from '../tools/postgres-pair.ts';
import { findRedisServer } from '../tools/redis-server.ts';
import { SilentProxy } from '../tools/silent-proxy.ts';
import { startStrangerNode } from '../tools/stranger-node.ts';
import { temporaryFolder } from '../tools/temporary-folder.ts';
import { Merchant } from '../tools/world/merchant.ts';
import { COLLECTOR, COLLECTOR_KEY } from '../tools/world/network.ts';
import { roleVariables } from '../tools/world/role-variables.ts';
import type { Board } from './board.ts';
import { MerchantServer } from './merchant-server.ts';
import { ChaosNetwork } from './network.ts';
import type { Replication } from './replication.ts';
import { RoleProcess } from './role-process.ts';
import { MERCHANTS, type RunSize } from './run-size.ts';
import { KillablePostgres, RestartableRedis } from './stores.ts';
import { Tally } from './tally.ts';

export type RoleName = 'api' | 'indexer' | 'worker';

const INDEXERS = 2;
const DATABASE_BACK_WITHIN_MS = 30_000;
/** Limit of this program's own statements: a primary that has fallen silent never answers. */
const ANSWER_MS = 10_000;
const LAMPORTS = 1_000_000_000_000;
/** First key of the indexers' advisory lock. */
const LOCK_SPACE = 0x64756573;

/** A merchant of the run, with its wallet and its backend. */
export interface ChaosMerchant {
  readonly wallet: KeyPairSigner;
  readonly keypair: Keypair;
  readonly apiKey: string;
  /** Asks the API with this key. */
  readonly graphql: GraphQLClient;
  readonly backend: Merchant;
  /** Addresses of the published plans, by the merchant's ids. */
  readonly plans: Map<string, string>;
  /** Ids of the discounts, by their names in `discounts.ts`. */
  readonly discounts: Map<string, string>;
}

export type ChaosWorld = Awaited<ReturnType<typeof startChaosWorld>>;

/**
 * Starts all roles of dues as processes, with the stores, the network and the merchants' server.
 *
 * @param closing stops everything at the end
 * @param replication how PostgreSQL's standby receives commits; undefined if there is no standby
 */
export async function startChaosWorld(
  closing: AsyncDisposableStack,
  { workers }: RunSize,
  board: Board,
  replication: Replication | undefined,
) {
  const folder = await temporaryFolder(closing, 'dues-chaos-');
  const tally = new Tally();
  const redisServer = findRedisServer();
  const network = await ChaosNetwork.start();
  closing.defer(() => network.close());
  const [postgres, redis, merchantServer] = await Promise.all([
    replication ? undefined : KillablePostgres.start(join(folder, 'postgres')),
    redisServer ? RestartableRedis.start(redisServer) : undefined,
    MerchantServer.start(tally, () => network.nowMs()),
  ]);
  if (postgres) closing.defer(() => postgres.stop());
  if (redis) closing.defer(() => redis.stop());
  closing.defer(() => merchantServer.close());
  const pair = postgres
    ? undefined
    : await startPostgresPair(closing, {
        isSynchronous: replication === 'synchronous',
        settings: ['max_connections=200'],
      });
  const databaseUrl = postgres?.url ?? pair?.url ?? '';
  const databaseProxy = await SilentProxy.start(Number(new URL(databaseUrl).port));
  closing.defer(() => databaseProxy.close());
  if (postgres) await applyMigrations(databaseUrl);
  const db = connectDb(databaseUrl, { answerMs: ANSWER_MS });
  closing.defer(() => db.$disconnect());

  // The roles see strangers' accounts and transactions with the size that a cluster allows.
  const node = await startStrangerNode(network.rpcUrl);
  closing.defer(() => node.close());
  await network.client.setLamports(COLLECTOR, LAMPORTS);
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const env = {
    // Compiled code is cached, because processes are restarted often.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'dues-chaos-compiled'),
    ...roleVariables(
      databaseProxy.urlOf(databaseUrl),
      { rpcUrl: node.url, geyserUrl: network.geyserUrl },
      { REDIS_URL: redis?.url, PORT: String(port), PUBLIC_URL: apiUrl },
    ),
  };
  const counts = { api: 1, indexer: INDEXERS, worker: workers } as const;
  const roles = await Promise.all(
    (['api', 'indexer', 'worker'] as const).flatMap((role) =>
      Array.from({ length: counts[role] }, async (_, index) => ({
        role,
        process: new RoleProcess(`${role}-${index + 1}`, role, env, await freePort()),
      })),
    ),
  );
  closing.defer(async () => {
    await Promise.all(roles.map(({ process }) => process.kill()));
  });
  await Promise.all(roles.map(({ process }) => process.start()));
  const chain = await createChain('TEST', localCluster(network, COLLECTOR_KEY));

  async function newMerchant(index: number): Promise<ChaosMerchant> {
    const keypair = Keypair.generate();
    const wallet = await createKeyPairSignerFromBytes(keypair.secretKey);
    await network.client.setLamports(wallet.address, LAMPORTS);
    const ctx = { db, clock: systemClock };
    const walletAddress = wallet.address;
    const { merchant } = await createMerchant(ctx, { companyName: `Merchant ${index}`, walletAddress });
    const apiKey = await createKey({ env, db }, merchant.id);
    const backend = new Merchant(apiUrl, apiKey, wallet, chain);
    merchantServer.setSecret(index, await backend.listenAt(merchantServer.urlOf(index)));
    const graphql = new GraphQLClient(`${apiUrl}/graphql`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    return { wallet, keypair, apiKey, graphql, backend, plans: new Map(), discounts: new Map() };
  }

  /** Repeats a query until the database responds, because it may be restarting. */
  async function queryUntilAnswered<T>(query: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + DATABASE_BACK_WITHIN_MS;
    for (;;) {
      try {
        return await query();
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await wait(100);
      }
    }
  }

  return {
    network,
    /** Undefined in a run with a failover. */
    postgres,
    /** PostgreSQL with its standby in a run with a failover. */
    pair,
    /** The network between all roles and PostgreSQL. */
    databaseProxy,
    /** Undefined if this machine has no Redis server: dues then uses PostgreSQL only. */
    redis,
    merchantServer,
    tally,
    /** Checkouts that their customers left. They stay open. */
    abandoned: new Set<string>(),
    board,
    /** A database connection of this program, to check for remaining work and to create customers. */
    db,
    chain,
    apiUrl,
    collector: COLLECTOR,
    env,
    roles,
    rolesOf: (role: RoleName): RoleProcess[] =>
      roles.filter((entry) => entry.role === role).map(({ process }) => process),
    /** Creates merchants with a wallet, an API key and a webhook endpoint. */
    createMerchants: (): Promise<ChaosMerchant[]> =>
      Promise.all(Array.from({ length: MERCHANTS }, (_, index) => newMerchant(index))),
    travel: (seconds: number): Promise<void> => network.travel(seconds),
    queryUntilAnswered,
    /** The indexer that has the leader's lock, and the process id of its database connection. */
    async findLeader(): Promise<{ readonly name: string; readonly pid: number } | undefined> {
      const rows = await queryUntilAnswered(
        () => db.$queryRaw<{ name: string; pid: number }[]>`
          SELECT a."application_name" AS "name", a."pid" FROM pg_locks l JOIN pg_stat_activity a ON a."pid" = l."pid"
          WHERE l."locktype" = 'advisory' AND l."classid" = ${LOCK_SPACE}::int AND l."granted"`,
      );
      return rows[0];
    },
    /** Ends all faults. */
    async endFaults(): Promise<void> {
      merchantServer.stopFailing();
      await network.endFaults();
    },
  };
}

/** Creates an API key with all scopes. */
export async function createKey(
  { env, db }: { readonly env: ReturnType<typeof roleVariables>; readonly db: Db },
  merchantId: string,
): Promise<string> {
  const secretKey = Uint8Array.from(Buffer.from(env.SECRET_KEY ?? '', 'base64'));
  const ctx = { config: { secretKey }, db, clock: systemClock, wallClock: systemClock };
  return (await createApiKey(ctx, { merchantId, environment: 'TEST' }, { name: 'backend' })).apiKey;
}
