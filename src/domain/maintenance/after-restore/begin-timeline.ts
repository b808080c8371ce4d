import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/**
 * Begins a new timeline by hand, because a backup was restored that PostgreSQL does not tell from the
 * database before, such as a copy of its files or of its disk. An environment without an indexer has
 * none.
 *
 * @param lostFrom the time of the backup
 */
export async function beginTimeline(
  { db }: Pick<AppContext, 'db'>,
  environments: readonly Environment[],
  lostFrom: Date,
): Promise<void> {
  await db.$queryRaw`
    SELECT "begin_timeline"("database_identity"(), ${[...environments]}::"Environment"[], ${lostFrom})::text`;
}
