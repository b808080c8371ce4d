import type { Db } from '../../../db/db.ts';
import { positionFloor } from '../../../db/timeline.ts';
import { invalidRequest } from '../../../errors.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { cursorPosition } from './event-cursor.ts';

const FIELDS = {
  id: true,
  position: true,
  type: true,
  sequence: true,
  data: true,
  createdAt: true,
} as const satisfies Prisma.EventSelect;

/** An event with its position in the stream. */
export type StreamedEvent = Omit<Prisma.EventGetPayload<{ select: typeof FIELDS }>, 'position'> & {
  readonly position: bigint;
};

/** At most `limit` events after a position, in order. */
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

/**
 * The first and last position of a stream; 1 and 0 if it is empty. All positions that a lost history
 * may have given out count as before the end.
 */
export async function streamBounds(
  db: Db,
  { merchantId, environment }: Scope,
): Promise<{ first: bigint; last: bigint }> {
  const fromStream = Prisma.sql`FROM "Event" WHERE "merchantId" = ${merchantId}::uuid
    AND "environment" = ${environment}::"Environment"`;
  const floor = positionFloor(Prisma.sql`${environment}::"Environment"`);
  const [bounds] = await db.$queryRaw<{ first: bigint; last: bigint }[]>`
    SELECT coalesce((SELECT min("position") ${fromStream}), 1) AS "first",
      greatest((SELECT max("position") ${fromStream}), ${floor}) AS "last"`;
  if (!bounds) throw new Error('A query without FROM has one row.');
  return bounds;
}

/** The last positions of many streams in one query; empty streams are left out. */
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

/** A reader's position in a stream, and the last position at that time. */
export interface EventPosition {
  readonly after: bigint;
  readonly last: bigint;
}

/**
 * The position to resume from: the cursor's, or the end of the stream without a cursor.
 *
 * @throws BillingError invalid_request if it is not a cursor of this stream, or the next events are
 *   no longer kept
 */
export async function positionToResume(
  db: Db,
  scope: Scope,
  param: string,
  cursor: string | null | undefined,
): Promise<EventPosition> {
  const position = cursor == null ? undefined : cursorPosition(param, scope, cursor);
  const { first, last } = await streamBounds(db, scope);
  if (position === undefined) return { after: last, last };
  if (position > last) {
    throw invalidRequest(param, `${param} must be an existing cursor: it is after the end of the stream.`);
  }
  if (position + 1n < first) {
    throw invalidRequest(
      param,
      `${param} is too old: the events after it are no longer kept. Query eventsCursor, then the current data, and resume after that cursor.`,
    );
  }
  return { after: position, last };
}
