import type { Clock } from '../clock.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { DbTransaction } from './db.ts';

/**
 * The time, in SQL, by which claims of rows are made and expire. All workers must agree on it:
 * otherwise one takes what another still holds, or waits for a claim that ends too late. The clocks
 * of machines differ, so it is the database's clock. A clock that all workers follow, as that of a
 * local network, is used as it is, so that claims expire if its time is moved.
 */
export function claimTime(clock: Clock): Prisma.Sql {
  return clock.isOfMachine ? Prisma.sql`statement_timestamp()` : Prisma.sql`${clock.now()}::timestamptz`;
}

/** A moment by `claimTime`, in SQL, as the worker's clock will show it; `now` is what it shows now. */
export function byWorkersClock(clock: Clock, now: Date, moment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${now}::timestamptz + (${moment} - ${claimTime(clock)})`;
}

/** `claimTime` as a value, to compare with the claims of rows that were read. */
export async function readClaimTime(tx: Pick<DbTransaction, '$queryRaw'>, clock: Clock): Promise<Date> {
  if (!clock.isOfMachine) return clock.now();
  const [{ now } = { now: clock.now() }] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT ${claimTime(clock)} AS "now"`;
  return now;
}
