import type { Clock } from '../clock.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { DbTransaction } from './db.ts';

/**
 * The current time, in SQL, at which rows are claimed and claims expire. All workers must agree on
 * it: otherwise a worker takes rows that another has claimed, or a claim expires too late. The
 * clocks of machines differ, so this is the database's clock. A clock that all workers share, such
 * as that of a local network, is used directly, so that claims expire when its time is moved.
 */
export function claimTime(clock: Clock): Prisma.Sql {
  return clock.isOfMachine ? Prisma.sql`statement_timestamp()` : Prisma.sql`${clock.now()}::timestamptz`;
}

/** Converts a time of `claimTime`, in SQL, to the worker's clock, whose current time is `now`. */
export function byWorkersClock(clock: Clock, now: Date, time: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${now}::timestamptz + (${time} - ${claimTime(clock)})`;
}

/** Reads `claimTime` as a value, to compare it with the claims of rows that were read. */
export async function readClaimTime(tx: Pick<DbTransaction, '$queryRaw'>, clock: Clock): Promise<Date> {
  if (!clock.isOfMachine) return clock.now();
  const [{ now } = { now: clock.now() }] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT ${claimTime(clock)} AS "now"`;
  return now;
}
