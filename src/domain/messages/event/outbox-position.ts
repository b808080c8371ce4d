import { Prisma } from '../../../generated/prisma/client.ts';

/**
 * The position up to which a reader has read the outbox. Rows before it are removed, and only the
 * named open transactions can still add rows there. A scan from here therefore skips the index
 * entries of removed rows, which PostgreSQL keeps while an old transaction is open.
 */
export interface OutboxPosition {
  /** The last row read, in key order. */
  readonly xid: bigint;
  readonly eventId: string;
  /** Older transactions that were still open: their rows may still appear. */
  readonly open: readonly bigint[];
  /** The start time of the server, which identifies it; null at the start of the outbox. */
  readonly server: string | null;
}

export interface OutboxKey {
  readonly xid: bigint;
  readonly eventId: string;
}

/** The transactions that had not ended, from `pg_current_snapshot`, and their server. */
export interface Snapshot {
  /** The first transaction id that had not begun. */
  readonly xmax: bigint;
  readonly open: readonly bigint[];
  readonly server: string;
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** The position before all rows. */
export const outboxStart: OutboxPosition = { xid: 0n, eventId: LOWEST_ID, open: [], server: null };

/**
 * The text that `parseSnapshot` reads: a snapshot (`xmin:xmax:xip,xip`), `@`, and the server's
 * start.
 */
export const snapshotText = Prisma.sql`pg_current_snapshot()::text || '@' || extract(epoch FROM pg_postmaster_start_time())`;

export function parseSnapshot(text: string): Snapshot {
  const [snapshot = '', server = ''] = text.split('@');
  const [, xmax = '0', open = ''] = snapshot.split(':');
  return { xmax: BigInt(xmax), open: open === '' ? [] : open.split(',').map(BigInt), server };
}

/**
 * The position after reading rows that follow `position`.
 *
 * @param snapshot the snapshot of the statement that read them
 * @param last the last row in key order, if more may follow; undefined if these were all
 */
export function outboxPositionAfter(
  position: OutboxPosition,
  snapshot: Snapshot,
  last: OutboxKey | undefined,
): OutboxPosition {
  if (!last) return positionBefore({ xid: snapshot.xmax, eventId: LOWEST_ID }, snapshot, []);
  const isBeyond = last.xid > position.xid || (last.xid === position.xid && last.eventId > position.eventId);
  // A transaction that ended meanwhile may have rows after the last one.
  const stillOpen = isBeyond ? [] : position.open.filter((xid) => xid >= last.xid);
  return positionBefore(isBeyond ? last : position, snapshot, stillOpen);
}

/**
 * Whether the position belongs to another database than the snapshot: its server started at another
 * time, or its transaction has not begun in the snapshot. After a failover, the outbox may have
 * events before the position.
 */
export function isOfAnotherDatabase(position: OutboxPosition, { xmax, server }: Snapshot): boolean {
  return position.xid > xmax || (position.server !== null && position.server !== server);
}

function positionBefore(
  { xid, eventId }: OutboxKey,
  snapshot: Snapshot,
  stillOpen: readonly bigint[],
): OutboxPosition {
  const open = new Set([...stillOpen, ...snapshot.open.filter((openXid) => openXid < xid)]);
  const { server } = snapshot;
  return { xid, eventId, open: [...open].toSorted((a, b) => (a < b ? -1 : 1)), server };
}
