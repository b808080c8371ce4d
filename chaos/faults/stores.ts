import type { FaultKind } from './catalog.ts';

/** The database server dies, by a signal that lets it finish nothing, and is started again. */
export function restartPostgres(signal: 'SIGKILL' | 'SIGQUIT'): FaultKind['run'] {
  return async (world) => {
    if (!(await world.postgres.killAndRestart(signal))) return;
    world.tally.add(signal === 'SIGKILL' ? 'PostgreSQL killed' : 'PostgreSQL stopped at once');
  };
}

/** The connections of workers and indexers are cut, in the middle of whatever they do; the server stays. */
export const cutConnections: FaultKind['run'] = async (world) => {
  const cut = await world.insist(
    () => world.db.$executeRaw`
      SELECT pg_terminate_backend("pid") FROM pg_stat_activity
      WHERE "application_name" LIKE 'worker-%' OR "application_name" LIKE 'indexer-%'`,
  );
  world.tally.add('PostgreSQL connections cut', cut);
};

/** Redis goes away and comes back; it keeps nothing on disk, so its jobs are gone as well. */
export const restartRedis: FaultKind['run'] = async (world) => {
  if (await world.redis?.restart()) world.tally.add('Redis restarted');
};

export const emptyRedis: FaultKind['run'] = async (world) => {
  if (await world.redis?.empty()) world.tally.add('Redis emptied');
};
