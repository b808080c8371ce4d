import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';

/** A time whose rows may be lost, because the database came back without its newest ones. */
export interface LostTime {
  readonly environment: Environment;
  /** Null if it is not known. */
  readonly from: Date | null;
  /** Null until a worker has seen that the database came back. */
  readonly until: Date | null;
}

/** The lost times of the environments, oldest first: one for each timeline after the first. */
export async function lostTimes(
  { db }: Pick<AppContext, 'db'>,
  environments: readonly Environment[],
): Promise<readonly LostTime[]> {
  const timelines = await db.databaseTimeline.findMany({
    where: { environment: { in: [...environments] }, number: { gt: 1 } },
    orderBy: [{ environment: 'asc' }, { number: 'asc' }],
  });
  return timelines.map(({ environment, lostFrom: from, lostUntil: until }) => ({ environment, from, until }));
}
