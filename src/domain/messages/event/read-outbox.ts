import type { DbTransaction } from '../../../db/db.ts';
import { type Environment, Prisma } from '../../../generated/prisma/client.ts';
import {
  isOfAnotherDatabase,
  type OutboxKey,
  type OutboxPosition,
  outboxStart,
  parseSnapshot,
  type Snapshot,
  snapshotText,
} from './outbox-position.ts';
import { allMerchants, shardCondition } from './relay-shards.ts';

/** An event in the outbox. */
export interface OutboxEvent extends OutboxKey {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly subscriptionId: string | null;
  readonly sequence: number | null;
}

export interface OutboxPage {
  readonly rows: readonly OutboxEvent[];
  /**
   * The last row that was read, of any shard. Only defined if most rows read were of other shards:
   * then the page is not full, and more rows may follow.
   */
  readonly seenTo: OutboxKey | undefined;
  readonly snapshot: Snapshot;
  /**
   * The start of the page: the requested position, or the start of the outbox if that position
   * belongs to another database.
   */
  readonly from: OutboxPosition;
}

interface PageRow {
  readonly snapshot: string;
  readonly rows: readonly (OutboxEvent & { xid: string })[];
  readonly seenTo: { readonly xid: string; readonly eventId: string } | null;
}

/**
 * At most `limit` of a shard's events after a position, in the order of their transactions.
 * Requires `preferIndexes`.
 *
 * It reads at most `limit` rows for each shard, so that a backlog of other shards does not make the
 * statement slow. Rows of transactions that were open are read in addition, because such rows of
 * other shards may stay for long.
 */
export async function readOutbox(
  tx: DbTransaction,
  position: OutboxPosition,
  limit: number,
  shard = allMerchants,
): Promise<OutboxPage> {
  const { xid, eventId, open } = position;
  const max = limit * shard.shardCount;
  const seen = Prisma.sql`
    SELECT * FROM "Outbox" WHERE ("xid", "eventId") > (${xid}, ${eventId}::uuid)
    ORDER BY "xid", "eventId" LIMIT ${max}`;
  const [page] = await tx.$queryRaw<PageRow[]>`
    WITH page AS MATERIALIZED (
      (SELECT * FROM "Outbox" WHERE "xid" = ANY (${open as bigint[]}::bigint[]) AND "xid" < ${xid} AND ${shardCondition(shard)}
        ORDER BY "xid", "eventId" LIMIT ${limit})
      UNION ALL
      (SELECT * FROM (${seen}) AS seen WHERE ${shardCondition(shard)} ORDER BY "xid", "eventId" LIMIT ${limit})
      ORDER BY "xid", "eventId" LIMIT ${limit}
    )
    SELECT ${snapshotText} AS "snapshot", (
      SELECT coalesce(json_agg(row), '[]') FROM (
        SELECT "xid"::text, "eventId", "merchantId", "environment", "subscriptionId", "sequence"
        FROM page ORDER BY page."xid", page."eventId") AS row
    ) AS "rows", CASE WHEN (SELECT count(*) FROM page) < ${limit} THEN (
      SELECT json_build_object('xid', "xid"::text, 'eventId', "eventId")
      FROM (${seen}) AS seen ORDER BY "xid", "eventId" OFFSET ${max - 1} LIMIT 1
    ) END AS "seenTo"`;
  const snapshot = parseSnapshot(page?.snapshot ?? '');
  if (isOfAnotherDatabase(position, snapshot)) return readOutbox(tx, outboxStart, limit, shard);
  const rows = (page?.rows ?? []).map((row) => ({ ...row, xid: BigInt(row.xid) }));
  const seenTo = page?.seenTo ? { ...page.seenTo, xid: BigInt(page.seenTo.xid) } : undefined;
  return { rows, seenTo, snapshot, from: position };
}

export interface OutboxCount {
  readonly count: number;
  /** The key just before the first event; undefined if there are none. */
  readonly first: OutboxKey | undefined;
  readonly snapshot: Snapshot;
  readonly from: OutboxPosition;
}

/**
 * The number of events of all shards after a position, counted up to `limit`. Requires
 * `preferIndexes`.
 */
export async function countOutbox(
  tx: DbTransaction,
  position: OutboxPosition,
  limit: number,
): Promise<OutboxCount> {
  const [row] = await tx.$queryRaw<{ snapshot: string; count: number; xid: string | null }[]>`
    SELECT ${snapshotText} AS "snapshot", count(*)::int AS "count", min("xid")::text AS "xid"
    FROM (${rowsAfter(position, limit)}) AS page`;
  const snapshot = parseSnapshot(row?.snapshot ?? '');
  if (isOfAnotherDatabase(position, snapshot)) return countOutbox(tx, outboxStart, limit);
  const first = row?.xid ? { xid: BigInt(row.xid), eventId: outboxStart.eventId } : undefined;
  return { count: row?.count ?? 0, first, snapshot, from: position };
}

/**
 * The first rows after a position, from two scans of the key: rows of the transactions that were
 * open at that position, and rows with a greater key.
 */
function rowsAfter({ xid, eventId, open }: OutboxPosition, limit: number): Prisma.Sql {
  return Prisma.sql`
    (SELECT * FROM "Outbox" WHERE "xid" = ANY (${open as bigint[]}::bigint[]) AND "xid" < ${xid}
      ORDER BY "xid", "eventId" LIMIT ${limit})
    UNION ALL
    (SELECT * FROM "Outbox" WHERE ("xid", "eventId") > (${xid}, ${eventId}::uuid)
      ORDER BY "xid", "eventId" LIMIT ${limit})
    ORDER BY "xid", "eventId" LIMIT ${limit}`;
}
