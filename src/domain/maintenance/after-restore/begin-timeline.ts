import type { AppContext } from '../../../app.ts';

/**
 * Begins a new timeline in all environments, because a backup was restored that PostgreSQL does not
 * tell from the database before, such as a copy of its files or of its disk. A timeline that waits
 * already stays the newest one.
 */
export async function beginTimeline({ db }: Pick<AppContext, 'db'>): Promise<void> {
  if ((await db.databaseTimeline.count({ where: { readAt: null } })) > 0) return;
  await db.$queryRaw`SELECT "begin_timeline"("database_identity"(), true)::text`;
}
