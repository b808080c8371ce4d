import { readChainTime } from './chain/accounts/read-accounts.ts';
import type { Chain } from './chain/chain.ts';
import { assertSameCluster } from './chain/rpc/assert-same-cluster.ts';
import { reachClusters } from './chain/rpc/reach-clusters.ts';
import { type Clock, type FollowingClock, followClock, systemClock } from './clock.ts';
import { redisOf } from './config/redis-config.ts';
import type { Role } from './config/role.ts';
import type { Config } from './config.ts';
import { API_LIMITS, connectDb, type Db, type DbLimits, SERVICE_LIMITS, shortenWaits } from './db/db.ts';
import type { Environment } from './generated/prisma/client.ts';
import { assertRedisReachable } from './jobs/assert-redis-reachable.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createLive, type Live } from './live/live.ts';
import { createLog, type Logger } from './observability/log.ts';
import type { Tracing } from './observability/tracing/start-tracing.ts';
import { assertDatabaseReachable } from './postgres/assert-database-reachable.ts';

/** The dependencies of all use cases, created once and closed once. */
export interface AppContext {
  readonly config: Config;
  readonly db: Db;
  /**
   * One cluster per environment; `undefined` if the environment is not configured, or has been
   * unreachable since the start.
   */
  readonly chain: Readonly<Partial<Record<Environment, Chain>>>;
  /** Environments that were unreachable at the start, with the reason, until they are reachable. */
  readonly away?: ReadonlyMap<Environment, string>;
  /** The term of an indexer that leads: one of an earlier term must not write the position. */
  readonly epoch?: bigint;
  readonly jobs: Jobs;
  readonly live: Live;
  /**
   * The time of billing. On a local network it is the chain's, and jumps ahead when a test moves it.
   */
  readonly clock: Clock;
  /**
   * The machine's time, which no test moves: for sign-ins and sessions of people, and for how long an
   * endpoint has failed.
   */
  readonly wallClock: Clock;
  readonly log: Logger;
}

export interface App {
  readonly ctx: AppContext;
  /**
   * Shortens waits for database and queues, because the process stops. Call it before the roles
   * close.
   */
  stopping(): void;
  close(): Promise<void>;
}

/** The limits of a process that serves. A command has none, because it may read all rows. */
const LIMITS: Readonly<Record<Role, DbLimits>> = {
  api: API_LIMITS,
  indexer: SERVICE_LIMITS,
  worker: SERVICE_LIMITS,
};

/** Interval of reading the chain's clock, if billing uses it. */
const CHAIN_CLOCK_MS = 250;

/**
 * Connects to the database, Redis and the clusters of the configuration.
 *
 * @param role the role of the process, if it has only one
 * @param options.awayAllowed whether the app may start while clusters are unreachable, and add them
 *   later
 * @param options.limits limits of the database; default: those of the role
 * @throws Error with one actionable line if the database, Redis or a cluster cannot be used
 */
export async function createApp(
  sharedConfig: Config,
  role?: Role,
  {
    awayAllowed = false,
    limits,
  }: { readonly awayAllowed?: boolean; readonly limits?: DbLimits | undefined } = {},
): Promise<App> {
  const config = withConnections(sharedConfig, role);
  const log = createLog(config.logLevel);
  const tracing = await startTracing(config);
  const db = connectDb(config.databaseUrl, {
    ...(limits ?? (role && LIMITS[role])),
    connections: config.databaseConnections,
    isPooled: config.directDatabaseUrl !== undefined,
  });
  // The cluster whose clock billing uses must be reachable.
  const clusters = await reachClusters(config.clusters, log, {
    awayAllowed: awayAllowed && config.clock !== 'chain',
    verify: async (reached) => {
      await assertDatabaseReachable(config.databaseUrl);
      await assertSameCluster(db, reached);
    },
  }).catch(async (error: unknown) => {
    await db.$disconnect();
    throw error;
  });
  const { chain, away } = clusters;
  try {
    await assertDatabaseReachable(config.databaseUrl);
    if (config.directDatabaseUrl) {
      await assertDatabaseReachable(config.directDatabaseUrl, 'DIRECT_DATABASE_URL');
    }
    const redis = redisOf(config);
    if (redis) await assertRedisReachable(redis);
  } catch (error) {
    clusters.close();
    await db.$disconnect();
    throw error;
  }
  const clock = config.clock === 'chain' ? await chainClock(chain, log) : undefined;
  const jobs = createJobs(config, log);
  const live = createLive(config, log);
  return {
    ctx: { config, db, chain, away, jobs, live, clock: clock ?? systemClock, wallClock: systemClock, log },
    stopping: () => {
      shortenWaits(db);
      jobs.stopping();
    },
    close: async () => {
      clock?.close();
      clusters.close();
      await Promise.all([jobs.close(), live.close()]);
      await db.$disconnect();
      await tracing?.close();
    },
  };
}

/**
 * Database connections of a worker or an indexer if the queues are in the database too.
 * PostgreSQL's default of 100 connections then suffices for eight workers.
 */
const CONNECTIONS_BESIDE_QUEUES = 5;

/** Adds the number of database connections for the role, unless the configuration sets it. */
function withConnections(config: Config, role: Role | undefined): Config {
  const hasManyProcesses = role === 'worker' || role === 'indexer';
  if (!hasManyProcesses || config.databaseConnections !== undefined || redisOf(config)) return config;
  return { ...config, databaseConnections: CONNECTIONS_BESIDE_QUEUES };
}

/** Starts tracing if it is configured. Its libraries are loaded only then. */
async function startTracing({ tracesEndpoint }: Config): Promise<Tracing | undefined> {
  if (!tracesEndpoint) return undefined;
  return (await import('./observability/tracing/start-tracing.ts')).startTracing(tracesEndpoint);
}

async function chainClock(
  chain: Partial<Record<Environment, Chain>>,
  log: Logger,
): Promise<FollowingClock | undefined> {
  const source = chain.TEST ?? chain.LIVE;
  if (!source) return undefined;
  return followClock(() => readChainTime(source), {
    everyMs: CHAIN_CLOCK_MS,
    onError: (err) => log.warn({ err }, 'chain clock not read'),
  });
}
