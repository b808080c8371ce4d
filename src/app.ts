import { assertReachable, type Chain, createChain } from './chain/chain.ts';
import { readChainTime } from './chain/read-accounts.ts';
import { type Clock, type FollowingClock, followClock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { assertDatabaseReachable } from './database/assert-database-reachable.ts';
import { connectDb, type Db } from './db.ts';
import type { Environment } from './generated/prisma/client.ts';
import { assertRedisReachable } from './jobs/assert-redis-reachable.ts';
import { createJobs, type Jobs } from './jobs/jobs.ts';
import { createLive, type Live } from './jobs/live.ts';
import { createLog, type Logger } from './log.ts';
import type { Role } from './operations/role.ts';
import type { Tracing } from './tracing/start-tracing.ts';

/** All that a use case needs of the outside; built once, closed once. */
export interface AppContext {
  readonly config: Config;
  readonly db: Db;
  /** One cluster an environment; `undefined` where that environment is not configured. */
  readonly chain: Readonly<Partial<Record<Environment, Chain>>>;
  readonly jobs: Jobs;
  readonly live: Live;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface App {
  readonly ctx: AppContext;
  close(): Promise<void>;
}

/** How often the chain is asked for its time, where billing goes by it. */
const CHAIN_CLOCK_MS = 250;

/** Somebody waits for each answer of the API: a statement that takes longer helps nobody, and holds up the others. */
const API_LIMITS = { statementMs: 10_000, connectMs: 10_000 } as const;

/**
 * Connects everything that the configuration names.
 *
 * @param role what the process does, where it does only that
 * @throws Error in one line a person can act on, where the database, Redis or a cluster cannot be used
 */
export async function createApp(config: Config, role?: Role): Promise<App> {
  const log = createLog(config.logLevel);
  const tracing = await startTracing(config);
  const chain: Partial<Record<Environment, Chain>> = {};
  for (const [environment, cluster] of Object.entries(config.clusters)) {
    const created = await createChain(environment as Environment, cluster);
    await assertReachable(created);
    chain[environment as Environment] = created;
  }
  await assertDatabaseReachable(config.databaseUrl);
  if (config.redisUrl) await assertRedisReachable(config.redisUrl);
  const limits = role === 'api' ? API_LIMITS : {};
  const db = connectDb(config.databaseUrl, { ...limits, connections: config.databaseConnections });
  const clock = config.clock === 'chain' ? await chainClock(chain, log) : undefined;
  const jobs = createJobs(config, log);
  const live = createLive(config, log);
  return {
    ctx: { config, db, chain, jobs, live, clock: clock ?? systemClock, log },
    close: async () => {
      clock?.close();
      await Promise.all([jobs.close(), live.close()]);
      await db.$disconnect();
      await tracing?.close();
    },
  };
}

/** The libraries for it are only loaded where they are used. */
async function startTracing({ tracesEndpoint }: Config): Promise<Tracing | undefined> {
  if (!tracesEndpoint) return undefined;
  return (await import('./tracing/start-tracing.ts')).startTracing(tracesEndpoint);
}

async function chainClock(
  chain: Partial<Record<Environment, Chain>>,
  log: Logger,
): Promise<FollowingClock | undefined> {
  const source = chain.TEST ?? chain.LIVE;
  if (!source) return undefined;
  return followClock(() => readChainTime(source), {
    everyMs: CHAIN_CLOCK_MS,
    onError: (err) => log.warn({ err }, 'the chain was not asked for its time'),
  });
}
