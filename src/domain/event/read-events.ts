import type { Db } from '../../db.ts';
import { invalidRequest } from '../../errors.ts';
import { type Environment, Prisma } from '../../generated/prisma/client.ts';
import type { Scope } from '../merchant/scope.ts';
import { cursorPosition } from './event-cursor.ts';

const FIELDS = {
  id: true,
  position: true,
  type: true,
  sequence: true,
  data: true,
  createdAt: true,
} as const satisfies Prisma.EventSelect;

/** An event with its place in the stream. */
export type StreamedEvent = Omit<Prisma.EventGetPayload<{ select: typeof FIELDS }>, 'position'> & {
  readonly position: bigint;
};

/** The events of a stream that follow a position, in order, at most `limit` of them. */
export async function readEvents(
  db: Db,
  { merchantId, environment }: Scope,
  after: bigint,
  limit: number,
): Promise<StreamedEvent[]> {
  const rows = await db.event.findMany({
    where: { merchantId, environment, position: { gt: after } },
    orderBy: { position: 'asc' },
    take: limit,
    select: FIELDS,
  });
  return rows as StreamedEvent[];
}

/** The first and the last position that a stream has; 1 and 0 where it has none. */
export async function streamBounds(
  db: Db,
  { merchantId, environment }: Scope,
): Promise<{ first: bigint; last: bigint }> {
  const ofStream = Prisma.sql`FROM "Event" WHERE "merchantId" = ${merchantId}::uuid
    AND "environment" = ${environment}::"Environment"`;
  const [bounds] = await db.$queryRaw<{ first: bigint; last: bigint }[]>`
    SELECT coalesce((SELECT min("position") ${ofStream}), 1) AS "first",
      coalesce((SELECT max("position") ${ofStream}), 0) AS "last"`;
  if (!bounds) throw new Error('A query without FROM has one row.');
  return bounds;
}

/** Where many streams end, in one query; streams without an event are left out. */
export async function lastPositions(
  db: Db,
  scopes: readonly Scope[],
): Promise<(Scope & { readonly last: bigint })[]> {
  const merchantIds = scopes.map(({ merchantId }) => merchantId);
  const environments = scopes.map(({ environment }) => environment);
  const rows = await db.$queryRaw<{ merchantId: string; environment: Environment; last: bigint | null }[]>`
    SELECT s."merchantId", s."environment", (
      SELECT max(e."position") FROM "Event" e
      WHERE e."merchantId" = s."merchantId" AND e."environment" = s."environment"
    ) AS "last"
    FROM unnest(${merchantIds}::uuid[], ${environments}::"Environment"[]) AS s("merchantId", "environment")`;
  return rows.flatMap(({ last, ...scope }) => (last === null ? [] : [{ ...scope, last }]));
}

/** Where somebody stands in a stream, and where it ended then. */
export interface StreamPlace {
  readonly after: bigint;
  readonly last: bigint;
}

/**
 * The place to go on from: that of a cursor, or without one the end of the stream.
 *
 * @throws BillingError invalid_request where the cursor is none of this stream, or what follows it is no longer kept
 */
export async function placeToResume(
  db: Db,
  scope: Scope,
  param: string,
  cursor: string | null | undefined,
): Promise<StreamPlace> {
  const named = cursor == null ? undefined : cursorPosition(param, scope, cursor);
  const { first, last } = await streamBounds(db, scope);
  if (named === undefined) return { after: last, last };
  if (named > last) {
    throw invalidRequest(param, `${param} must be a cursor that was told: the stream has not come so far.`);
  }
  if (named + 1n < first) {
    throw invalidRequest(
      param,
      `${param} is too old: events that follow it are no longer kept. Read eventsCursor, then the state, and go on from there.`,
    );
  }
  return { after: named, last };
}
