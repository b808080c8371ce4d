import { v7 as uuidv7 } from 'uuid';
import type { DbTransaction } from '../../db.ts';
import { asRows } from '../../db-rows.ts';
import type { Book, HistoryRow, SubscriptionState } from '../payment/books/book.ts';

/**
 * Writes the statuses of subscriptions, as only this file does: of those that were moved in memory (`Book.move`, along legal
 * edges), under the locks that the caller holds, their state as it is now, and a history row a move.
 */
export async function writeStates(tx: DbTransaction, books: readonly Book[], at: Date): Promise<void> {
  if (books.length === 0) return;
  const rows = books.map(({ subscription, statusRead }) => ({ ...stateOf(subscription), from: statusRead }));
  const written = await tx.$executeRaw`
    UPDATE "Subscription" SET "status" = r."status", "nextPaymentAt" = r."nextPaymentAt",
      "nextAttemptAt" = r."nextAttemptAt", "claimedUntil" = r."claimedUntil", "paymentCount" = r."paymentCount",
      "failureCount" = r."failureCount", "accessUntil" = r."accessUntil", "cancelledAt" = r."cancelledAt",
      "closedAt" = r."closedAt", "cancelAtPeriodEnd" = r."cancelAtPeriodEnd", "lastSequence" = r."lastSequence"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "from" "SubscriptionStatus",
      "status" "SubscriptionStatus", "nextPaymentAt" timestamptz, "nextAttemptAt" timestamptz,
      "claimedUntil" timestamptz, "paymentCount" int, "failureCount" int, "accessUntil" timestamptz,
      "cancelledAt" timestamptz, "closedAt" timestamptz, "cancelAtPeriodEnd" boolean, "lastSequence" int)
    WHERE "Subscription"."id" = r."id" AND "Subscription"."status" = r."from"`;
  if (written !== rows.length)
    throw new Error(`of ${rows.length} locked subscriptions ${written} were written`);
  const history = books.flatMap(({ noted }) => noted.history);
  if (history.length > 0) await insertHistory(tx, history, at);
}

/**
 * Each row after those of its subscription that are there, whatever the clock of this machine says: the newest one tells
 * why a subscription is in its status. Rows of one call are told apart by their ids, which one process makes in order.
 */
async function insertHistory(tx: DbTransaction, history: readonly HistoryRow[], at: Date): Promise<void> {
  const rows = history.map((row) => ({ ...row, id: uuidv7() }));
  await tx.$executeRaw`
    INSERT INTO "SubscriptionTransition" ("id", "subscriptionId", "from", "to", "reason", "at")
    SELECT r.*, greatest(${at}::timestamptz, (SELECT max("at") + interval '1 millisecond'
      FROM "SubscriptionTransition" AS "earlier" WHERE "earlier"."subscriptionId" = r."subscriptionId"))
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "subscriptionId" uuid,
      "from" "SubscriptionStatus", "to" "SubscriptionStatus", "reason" text)`;
}

function stateOf(subscription: Book['subscription']): SubscriptionState & { readonly id: string } {
  const { id, status, nextPaymentAt, nextAttemptAt, claimedUntil } = subscription;
  const { paymentCount, failureCount, accessUntil, lastSequence } = subscription;
  const { cancelledAt, closedAt, cancelAtPeriodEnd } = subscription;
  return {
    ...{ id, status, nextPaymentAt, nextAttemptAt, claimedUntil },
    ...{ paymentCount, failureCount, accessUntil, lastSequence },
    ...{ cancelledAt, closedAt, cancelAtPeriodEnd },
  };
}
