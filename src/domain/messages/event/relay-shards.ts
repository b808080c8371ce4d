import { advisoryLock } from '../../../db/advisory-locks.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

// The events of one merchant get their positions in one transaction at a time. The hash of a
// merchant's id selects one of 64 buckets, and every bucket has a lock. A shard is a set of buckets
// and holds their locks while it relays. The buckets do not depend on the number of shards.
// Processes with different numbers of shards therefore exclude each other where they share a
// bucket, and the number may change at any restart.

/** Must never change: releases that run side by side must agree on it. */
const RELAY_BUCKETS = 64;

/** The merchants whose bucket modulo `shardCount` equals `index`. */
export interface RelayShard {
  readonly index: number;
  readonly shardCount: number;
}

/** The shard of all merchants, for a relay with one shard. */
export const allMerchants: RelayShard = { index: 0, shardCount: 1 };

/**
 * All shards, starting with `first`: processes that start with different ones do not block each
 * other.
 */
export function relayShards(shardCount: number, first = 0): RelayShard[] {
  return Array.from({ length: shardCount }, (_, n) => ({ index: (first + n) % shardCount, shardCount }));
}

/** The SQL condition for rows of a shard. */
export function shardCondition({ index, shardCount }: RelayShard): Prisma.Sql {
  return Prisma.sql`(hashtext("merchantId"::text) & ${RELAY_BUCKETS - 1}::int) % ${shardCount}::int = ${index}::int`;
}

/**
 * Takes the locks of a shard's buckets until the transaction ends. These are separate statements,
 * so that the next one sees what the previous holder committed. Buckets are locked in order, so
 * relays cannot deadlock.
 *
 * Older releases without shards take only the first lock, exclusively. Taking it shared excludes
 * them.
 */
export async function lockRelay(tx: DbTransaction, { index, shardCount } = allMerchants): Promise<void> {
  await tx.$executeRaw`SELECT ${Prisma.raw(advisoryLock('relay', '', 'xact_lock_shared'))}`;
  await tx.$executeRaw`
    SELECT ${Prisma.raw(advisoryLock('relayBucket', '"slot"'))}
    FROM (
      SELECT n AS "slot" FROM generate_series(${index}::int, ${RELAY_BUCKETS - 1}::int, ${shardCount}::int) AS n ORDER BY n
    ) slots`;
}
