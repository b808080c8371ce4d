// The rows that are deleted after some time. Each condition has an index. Rows are deleted in small
// batches, one statement each, so that no lock is held for long and an interruption loses nothing.
// Plans, customers, subscriptions, payments, receipts, transfers, events and audit entries are
// never deleted. Attempts are deleted only if their transaction never landed. See
// docs/operations.md.
import { setTimeout as pause } from 'node:timers/promises';
import type { AppContext } from '../../../app.ts';
import { DEFAULT_RETENTION, type Retention } from '../../../config/variables/retention.ts';
import { inBatches } from '../../../db/in-batches.ts';
import { Prisma } from '../../../generated/prisma/client.ts';

const DAY_MS = 86_400_000;
const ROWS_PER_BATCH = 500;
/** Pause between two batches, so that requests can use the database. */
const PAUSE_MS = 20;
/** Time to keep updates that were set aside and applied later. */
const RESOLVED_KEPT_DAYS = 30;
/** Time to keep transactions that never landed, with their attempts. */
const EXPIRED_KEPT_DAYS = 90;

/** Number of rows of each kind that were deleted, or whose signed bytes were deleted. */
export type Purged = Readonly<Record<keyof typeof BATCH_STATEMENTS, number>>;

type Before = (days: number) => Date;

// ARRAY: as a join, PostgreSQL may run a subquery with LIMIT several times, and take more rows.
const BATCH_STATEMENTS = {
  checkoutSessions: ({ sessionsDays }: Retention, before: Before) => Prisma.sql`
    DELETE FROM "CheckoutSession" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "CheckoutSession"
      WHERE "status" = 'EXPIRED' AND "subscriptionId" IS NULL AND "expiresAt" < ${before(sessionsDays)}
      ORDER BY "expiresAt" LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED))`,
  signedBytes: ({ signedBytesDays }: Retention, before: Before) => Prisma.sql`
    UPDATE "TransferTransaction" SET "wire" = ''::bytea WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "TransferTransaction"
      WHERE "status" <> 'SUBMITTED' AND "wire" <> ''::bytea AND "settledAt" < ${before(signedBytesDays)}
      ORDER BY "settledAt" LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED))`,
  // No payment and no fee depends on them.
  expiredTransactions: (_: Retention, before: Before) => Prisma.sql`
    WITH expired AS MATERIALIZED (
      SELECT "id" FROM "TransferTransaction"
      WHERE "status" = 'EXPIRED' AND "settledAt" < ${before(EXPIRED_KEPT_DAYS)}
      ORDER BY "settledAt" LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED
    ), attempts AS (
      DELETE FROM "Attempt" WHERE "status" = 'VOID' AND "transactionId" IN (SELECT "id" FROM expired)
    )
    DELETE FROM "TransferTransaction" WHERE "id" IN (SELECT "id" FROM expired)`,
  mails: ({ mailsDays }: Retention, before: Before) => Prisma.sql`
    DELETE FROM "Mail" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Mail" WHERE "status" <> 'QUEUED' AND "createdAt" < ${before(mailsDays)}
      ORDER BY "createdAt" LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED))`,
  unappliedUpdates: (_: Retention, before: Before) => Prisma.sql`
    DELETE FROM "UnappliedUpdate" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "UnappliedUpdate"
      WHERE "resolvedAt" IS NOT NULL AND "resolvedAt" < ${before(RESOLVED_KEPT_DAYS)}
      ORDER BY "resolvedAt" LIMIT ${ROWS_PER_BATCH} FOR UPDATE SKIP LOCKED))`,
};

/**
 * Deletes rows past their retention, at most `batches` batches of each kind. The next call
 * continues. The caller must ensure that our clock is right.
 */
export async function purge(
  { db, clock, config, log }: Pick<AppContext, 'db' | 'clock' | 'config' | 'log'>,
  { batches }: { readonly batches: number },
): Promise<Purged> {
  const retention = { ...DEFAULT_RETENTION, ...config.retention };
  const now = clock.now().getTime();
  const before = (days: number) => new Date(now - days * DAY_MS);
  const purged = {
    checkoutSessions: 0,
    signedBytes: 0,
    expiredTransactions: 0,
    mails: 0,
    unappliedUpdates: 0,
  };
  for (const kind of Object.keys(purged) as (keyof Purged)[]) {
    const statement = BATCH_STATEMENTS[kind](retention, before);
    const takeBatch = async () => {
      const rows = await db.$executeRaw(statement);
      if (rows >= ROWS_PER_BATCH) await pause(PAUSE_MS);
      return rows;
    };
    purged[kind] = await inBatches(ROWS_PER_BATCH, takeBatch, batches);
  }
  if (Object.values(purged).some((rows) => rows > 0)) log.info(purged, 'old rows removed');
  return purged;
}
