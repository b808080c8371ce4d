import { v7 as uuidv7 } from 'uuid';
import { asRows, recordsOf } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { PREPARED } from '../../../db/prepared.ts';
import { KNOWN_LINE_SOURCES } from '../price/line-sources.ts';
import type { Book, HistoryRow, SubscriptionState } from './book.ts';
import type { StatusChange } from './status.ts';

/**
 * Writes changed subscriptions, with a history row per change of status, under the caller's locks.
 * Only this file changes the status of a subscription. `Book.transition` has checked that each
 * change is legal.
 */
export async function writeStates(tx: DbTransaction, books: readonly Book[], at: Date): Promise<void> {
  if (books.length === 0) return;
  const rows = books.map(({ subscription, statusRead }) => ({ ...stateOf(subscription), from: statusRead }));
  const written = await tx.$executeRaw`${PREPARED}
    UPDATE "Subscription" SET "status" = r."status", "nextPaymentAt" = r."nextPaymentAt",
      "nextAttemptAt" = r."nextAttemptAt", "claimedUntil" = r."claimedUntil", "paymentCount" = r."paymentCount",
      "failureCount" = r."failureCount", "accessUntil" = r."accessUntil", "cancelledAt" = r."cancelledAt",
      "closedAt" = r."closedAt", "cancelAtPeriodEnd" = r."cancelAtPeriodEnd", "lastSequence" = r."lastSequence",
      "nextAmount" = r."nextAmount", "claimSources" = CASE WHEN r."failureCount" > "Subscription"."failureCount" THEN ${KNOWN_LINE_SOURCES}::int END
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "from" "SubscriptionStatus",
      "status" "SubscriptionStatus", "nextPaymentAt" timestamptz, "nextAttemptAt" timestamptz,
      "claimedUntil" timestamptz, "paymentCount" int, "failureCount" int, "accessUntil" timestamptz,
      "cancelledAt" timestamptz, "closedAt" timestamptz, "cancelAtPeriodEnd" boolean, "lastSequence" int, "nextAmount" bigint)
    WHERE "Subscription"."id" = r."id" AND "Subscription"."status" = r."from"`;
  if (written !== rows.length)
    throw new Error(`${written} of ${rows.length} locked subscriptions were written`);
  const history = books.flatMap(({ changes }) => changes.history);
  if (history.length > 0) await insertHistory(tx, history, at);
}

/**
 * Records the first transition of a subscription, whose row was just created as ACTIVE. The caller records the
 * state of its customer.
 */
export async function recordSubscribed(tx: DbTransaction, subscriptionId: string, at: Date): Promise<void> {
  const change = { from: null, to: 'ACTIVE', reason: 'subscribed' } as const satisfies StatusChange;
  await tx.subscriptionTransition.create({ data: { subscriptionId, ...change, at, stateRecorded: true } });
}

/**
 * Inserts each row after the existing rows of its subscription, even if this machine's clock is
 * behind, because the newest row holds the reason of the current status. Rows of one call are
 * ordered by their ids.
 */
async function insertHistory(tx: DbTransaction, history: readonly HistoryRow[], at: Date): Promise<void> {
  const rows = history.map((row) => ({ ...row, id: uuidv7() }));
  await tx.$executeRaw`
    INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "stateRecorded", "at")
    SELECT "id", "subscriptionId", "from", "to", "reason", true, greatest(${at}::timestamptz, (SELECT max("at") + interval '1 millisecond'
      FROM "SubscriptionTransition" AS "earlier" WHERE "earlier"."subscriptionId" = r."subscriptionId"))
    FROM ${recordsOf('SubscriptionTransition', rows)} AS r`;
}

function stateOf(subscription: Book['subscription']): SubscriptionState & { readonly id: string } {
  const { id, status, nextPaymentAt, nextAttemptAt, claimedUntil } = subscription;
  const { paymentCount, failureCount, accessUntil, lastSequence } = subscription;
  const { cancelledAt, closedAt, cancelAtPeriodEnd, nextAmount } = subscription;
  return {
    id,
    status,
    nextPaymentAt,
    nextAttemptAt,
    claimedUntil,
    paymentCount,
    failureCount,
    accessUntil,
    lastSequence,
    cancelledAt,
    closedAt,
    cancelAtPeriodEnd,
    nextAmount,
  };
}
