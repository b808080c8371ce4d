// The database may come back without its last rows: a standby is promoted that had not received
// them, or a backup is restored. PostgreSQL then runs another timeline, or another cluster, which
// each new connection compares with the newest row of "DatabaseTimeline". In a new timeline
//
// - events get numbers above all that the lost rows may have had (`sequenceFloor`, `positionFloor`),
//   so a cursor or a number that a merchant has kept is never used for something else;
// - nothing is collected until the chain has been read up to the present (`hasReadTheChain`).
import type { ClientBase } from 'pg';
import { type Environment, Prisma } from '../generated/prisma/client.ts';
import { UNDEFINED_FUNCTION } from './postgres-errors.ts';
import { sqlStateOf } from './sql-state.ts';

/** The distance between the sequences at which two timelines begin. */
const SEQUENCES = 1_000;
/** The same for positions: 2^40. */
const POSITIONS = 1_099_511_627_776n;

/** What `database_identity` returns where PostgreSQL does not show it. */
const UNKNOWN_IDENTITY = 'unknown';

/**
 * Compares the database of a new connection with the newest timeline, and begins another one if they
 * differ. Before the first migration there is nothing to compare with.
 *
 * @returns what identifies the database and its timeline in PostgreSQL; undefined if it is not known
 */
export async function noteTimeline(client: Pick<ClientBase, 'query'>): Promise<string | undefined> {
  try {
    const { rows } = await client.query<{ identity: string }>(
      'SELECT "database_identity"() AS "identity" FROM "note_timeline"()',
    );
    const identity = rows[0]?.identity;
    return identity === UNKNOWN_IDENTITY ? undefined : identity;
  } catch (error) {
    if (sqlStateOf(error) !== UNDEFINED_FUNCTION) throw error;
    return undefined;
  }
}

/** The number of the newest timeline, from 1. */
export const timelineOf = (environment: Prisma.Sql) => Prisma.sql`
  coalesce((SELECT max("number") FROM "DatabaseTimeline" WHERE "environment" = ${environment}), 1)`;

/** The number before the first event of a subscription in the newest timeline: 0 in the first one. */
export function sequenceFloor(environment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${timelineOf(environment)} - 1) * ${SEQUENCES}::int)`;
}

/** The position before the first event of a merchant in the newest timeline: 0 in the first one. */
export function positionFloor(environment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${timelineOf(environment)} - 1) * ${POSITIONS}::bigint)`;
}

/** The sequence before the first one of the timeline that numbered an event, whose alias is "e". */
export const floorOfSequence = Prisma.sql`(
  SELECT max((t."number" - 1) * ${SEQUENCES}::int) FROM "DatabaseTimeline" t
  WHERE t."environment" = e."environment" AND (t."number" - 1) * ${SEQUENCES}::int < e."sequence")`;
/** The same for its position. */
export const floorOfPosition = Prisma.sql`(
  SELECT max((t."number" - 1) * ${POSITIONS}::bigint) FROM "DatabaseTimeline" t
  WHERE t."environment" = e."environment" AND (t."number" - 1) * ${POSITIONS}::bigint < e."position")`;

/** Whether a number may be the first of a timeline. */
export const mayBeginTimeline = (sequence: Prisma.Sql) =>
  Prisma.sql`((${sequence} - 1) % ${SEQUENCES}::int = 0)`;

/**
 * Whether the chain has been read since the database came back. If it just came back and no new
 * connection has noticed yet, it has not.
 */
export function hasReadTheChain(environment: Environment): Prisma.Sql {
  return Prisma.sql`NOT EXISTS (
    SELECT FROM (
      SELECT "identity", "readAt" FROM "DatabaseTimeline" WHERE "environment" = ${environment}::"Environment"
      ORDER BY "number" DESC LIMIT 1
    ) AS newest, "database_identity"() AS found
    WHERE newest."readAt" IS NULL OR (newest."identity" <> found AND 'unknown' NOT IN (newest."identity", found)))`;
}

/** Reads `hasReadTheChain`. */
export async function chainWasRead(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  environment: Environment,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ was: boolean }[]>`SELECT ${hasReadTheChain(environment)} AS "was"`;
  return row?.was === true;
}
