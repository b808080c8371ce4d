// Claims of rows. A worker claims a row by the time in its column "claimedUntil": until then no other
// worker takes the row, and after a crash it is free again. A worker whose work takes longer renews
// its claims, and one that stops releases them. Mails have no such column: a claim moves their
// "nextAttemptAt", which workers of every release read.
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

/** Whether no worker has claimed a row, in SQL. */
export function isFree(clock: Clock, claimedUntil = Prisma.sql`"claimedUntil"`): Prisma.Sql {
  return Prisma.sql`(${claimedUntil} IS NULL OR ${claimedUntil} <= ${claimTime(clock)})`;
}

/** The end of a claim that begins or is renewed now, in SQL. */
export function claimEnd(clock: Clock, seconds: number): Prisma.Sql {
  return Prisma.sql`${claimTime(clock)} + ${seconds} * interval '1 second'`;
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

/** Whether a worker has claimed a row that was read. `time` is from `readClaimTime`. */
export function isClaimed({ claimedUntil }: Claimable, time: Date): boolean {
  return claimedUntil !== null && claimedUntil > time;
}

/**
 * Whether a claim on a locked row is still valid. A worker whose claim has expired must not record
 * a failure or send: another worker may do the same.
 *
 * @param time the claim time, from `readClaimTime`
 */
export function holdsClaim(row: Claimable, claimedUntil: Date | null | undefined, time: Date): boolean {
  if (!claimedUntil || claimedUntil <= time) return false;
  return row.claimedUntil?.getTime() === claimedUntil.getTime();
}

interface Claimable {
  readonly claimedUntil: Date | null;
}
