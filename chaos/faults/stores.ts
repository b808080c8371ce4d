import type { FaultKind } from './fault.ts';

/** Kills the database server and starts it again. */
export function restartPostgres(signal: 'SIGKILL' | 'SIGQUIT'): FaultKind['run'] {
  return async (world) => {
    if (!(await world.postgres?.killAndRestart(signal))) return;
    world.tally.add(signal === 'SIGKILL' ? 'PostgreSQL killed' : 'PostgreSQL stopped at once');
  };
}

/** Cuts the database connections of workers and indexers. The server continues. */
export const cutConnections: FaultKind['run'] = async (world) => {
  const cut = await world.queryUntilAnswered(
    () => world.db.$executeRaw`
      SELECT pg_terminate_backend("pid") FROM pg_stat_activity
      WHERE "application_name" LIKE 'worker-%' OR "application_name" LIKE 'indexer-%'`,
  );
  world.tally.add('PostgreSQL connections cut', cut);
};

/** Restarts Redis without its data, so its jobs are lost. */
export const restartRedis: FaultKind['run'] = async (world) => {
  if (await world.redis?.restart()) world.tally.add('Redis restarted');
};

/**
 * Kills Redis and restarts it with its data: the jobs remain, but their workers lose the
 * connection.
 */
export const killRedis: FaultKind['run'] = async (world) => {
  if (await world.redis?.killAndKeep()) world.tally.add('Redis killed');
};

export const emptyRedis: FaultKind['run'] = async (world) => {
  if (await world.redis?.empty()) world.tally.add('Redis emptied');
};
