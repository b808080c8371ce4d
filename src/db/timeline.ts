// The database may come back without its last rows: a standby is promoted that had not received
// them, or a backup is restored. PostgreSQL then runs another timeline, or another cluster, which
// each new connection compares with the newest row of "DatabaseTimeline". In a new timeline
//
// - events get numbers above all that the lost rows may have had (`firstSequence`, `firstPosition`),
//   so a cursor or a number that a merchant has kept is never used for something else;
// - nothing is collected until the chain has been read up to the present (`hasReadTheChain`).
import type { ClientBase } from 'pg';
import { type Environment, Prisma } from '../generated/prisma/client.ts';
import { UNDEFINED_FUNCTION } from './postgres-errors.ts';
import { sqlStateOf } from './sql-state.ts';

/** Numbers that each timeline has for the events of a subscription. */
const SEQUENCES = 100_000;
/** Positions that each timeline has for the events of a merchant: 2^40. */
const POSITIONS = 1_099_511_627_776n;

/**
 * Compares the database of a new connection with the newest timeline, and begins another one if they
 * differ. Before the first migration there is nothing to compare with.
 */
export async function noteTimeline(client: Pick<ClientBase, 'query'>): Promise<void> {
  try {
    await client.query('SELECT "note_timeline"()');
  } catch (error) {
    if (sqlStateOf(error) !== UNDEFINED_FUNCTION) throw error;
  }
}

const newest = (environment: Prisma.Sql) => Prisma.sql`
  coalesce((SELECT max("number") FROM "DatabaseTimeline" WHERE "environment" = ${environment}), 1)`;

/** The number before the first event of a subscription in the newest timeline: 0 in the first one. */
export function sequenceFloor(environment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${newest(environment)} - 1) * ${SEQUENCES}::int)`;
}

/** The position before the first event of a merchant in the newest timeline: 0 in the first one. */
export function positionFloor(environment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${newest(environment)} - 1) * ${POSITIONS}::bigint)`;
}

/** The floor of the timeline in which an event got its "sequence". */
export const floorOfSequence = Prisma.sql`(("sequence" - 1) / ${Prisma.raw(String(SEQUENCES))} * ${Prisma.raw(String(SEQUENCES))})`;
/** The floor of the timeline in which an event got its "position". */
export const floorOfPosition = Prisma.sql`(("position" - 1) / ${Prisma.raw(String(POSITIONS))} * ${Prisma.raw(String(POSITIONS))})`;

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
    WHERE newest."readAt" IS NULL OR (newest."identity" <> found AND found <> 'unknown'))`;
}

/** Reads `hasReadTheChain`. */
export async function chainWasRead(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  environment: Environment,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ was: boolean }[]>`SELECT ${hasReadTheChain(environment)} AS "was"`;
  return row?.was === true;
}
