import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import type { Chain } from '../../../chain/chain.ts';
import { dateOf, unixSeconds } from '../../../chain/chain-time.ts';
import { recordsOf } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import { countPaymentsReversed } from '../../../observability/metrics/counters.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { Book, BookedPayment } from '../book/book.ts';
import { COLLECTING } from '../book/status.ts';
import { withBooks } from '../book/with-books.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { dueAfter, paymentOfPeriod } from '../schedule/period.ts';
import { missPayment } from './payment-of-period.ts';
import { provablyGone, type VanishedPayment } from './provably-gone.ts';
import { publishPayments } from './publish-payments.ts';

/** Payments reversed in one database transaction. */
const BATCH_SIZE = 200;

/** The outcome for payments whose transactions vanished, by the payment's id. */
export type Reversals = ReadonlyMap<string, 'reversed' | 'later' | 'left'>;

/**
 * Reverses settled payments that were provably not made. A reversed payment is due again,
 * or missed if its period is over, and an event is recorded. `later`: not provable yet. `left`:
 * nothing was changed, and a person has to check the payment.
 *
 * @throws NodeBehind, and errors of the cluster or the database
 */
export async function reversePayments(
  ctx: AppContext,
  chain: Chain,
  vanished: readonly VanishedPayment[],
): Promise<Reversals> {
  const reversals = new Map<string, 'reversed' | 'later' | 'left'>();
  for (const batch of inChunks(vanished, BATCH_SIZE)) {
    const { gone, later } = await provablyGone(ctx, chain, batch);
    const reversed = await reverseBatch(ctx, chain.environment, gone);
    for (const { id } of batch) {
      reversals.set(id, reversed.has(id) ? 'reversed' : later.has(id) ? 'later' : 'left');
    }
  }
  return reversals;
}

async function reverseBatch(
  ctx: AppContext,
  environment: Environment,
  gone: readonly VanishedPayment[],
): Promise<ReadonlySet<string>> {
  if (gone.length === 0) return new Set();
  const reversed = await withBooks(ctx, gone, async ({ tx, books, now }) => {
    const reversible = await lockReversible(
      tx,
      gone.map(({ id }) => id),
    );
    // Newest first, so that two payments of one subscription can both be reversed.
    const newestFirst = gone.toSorted(
      (a, b) => Number(b.periodStart - a.periodStart) || b.ordinal - a.ordinal,
    );
    const reversed = newestFirst.filter(({ id, subscriptionId, periodStart, ordinal, signature }) => {
      const book = books.get(subscriptionId);
      const payment = book?.payment({ periodStart, ordinal });
      if (!book || payment?.id !== id || payment.signature !== signature || !reversible.has(id)) return false;
      return book.apply(() => reverse(book, payment, now)) === true;
    });
    const applied = reversed.filter(
      ({ subscriptionId }) => books.get(subscriptionId)?.ruleError === undefined,
    );
    await removeTransfers(tx, applied, now);
    afterCommit(tx, () => countPaymentsReversed(environment, 'reversed', applied.length));
    return applied.flatMap(({ id: paymentId, subscriptionId }) => {
      const { merchantId } = books.get(subscriptionId)?.subscription ?? {};
      return merchantId ? [{ merchantId, environment, subscriptionId, paymentId }] : [];
    });
  });
  await publishPayments(ctx, reversed);
  return new Set(reversed.map(({ paymentId }) => paymentId));
}

/**
 * Locks the payments that can be reversed, so that none becomes final: those that are not final and
 * were paid by one transfer of ours.
 */
async function lockReversible(tx: DbTransaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT p."id" FROM "Payment" p
    WHERE p."id" = ANY(${[...ids]}::uuid[]) AND p."status" = 'SUCCEEDED' AND NOT p."finalized"
      AND (SELECT count(*) = 1 AND bool_and(c."signature" = p."signature" AND c."amount" = p."paidAmount")
        FROM "ChainTransfer" c WHERE c."paymentId" = p."id")
    ORDER BY p."id" FOR UPDATE OF p`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Reverses one payment that was provably not made. Returns false if a person has to decide: a later
 * payment is settled, a new attempt is in flight, or the subscription has ended or is ending, which
 * affects the customer's access.
 */
function reverse(book: Book, payment: BookedPayment, now: Date): boolean {
  const { subscription } = book;
  const { status, cancelAtPeriodEnd, paymentCount, nextPaymentAt, plan } = subscription;
  const { periodStart, ordinal, number, signature, submitted } = payment;
  const schedule = scheduleOf(subscription);
  const period = paymentOfPeriod(schedule, periodStart);
  if (!period || !signature || submitted || number === null || number !== paymentCount) return false;
  if (!COLLECTING.includes(status) || cancelAtPeriodEnd) return false;
  const isOver = unixSeconds(now) >= period.periodEnd;
  const dueAt = dateOf(period.dueAt);
  const nextDueAt = dateOf(dueAfter(schedule, period));
  if (!isOver && nextPaymentAt.getTime() !== nextDueAt.getTime()) return false;
  book.setPayment(payment, {
    status: 'DUE',
    paidAmount: 0n,
    number: null,
    signature: null,
    paidAt: null,
    collectedByUs: true,
  });
  book.set({
    paymentCount: paymentCount - 1,
    ...(isOver ? {} : { nextAttemptAt: now, claimedUntil: null }),
    ...(isOver || ordinal > 0 ? {} : { nextPaymentAt: dueAt }),
  });
  const { customer, walletAddress } = subscription;
  book.recordEvent(
    'subscription.payment_reversed',
    {
      subscriptionId: subscription.address,
      planId: plan.planId,
      paymentId: payment.id,
      signature,
      customer: { ...customer, walletAddress },
      amount: String(payment.paidAmount),
      paymentNumber: number,
      dueDate: dueAt.toISOString(),
      metadata: metadataOf(subscription),
    },
    now,
  );
  if (isOver) missPayment(book, payment, now);
  return true;
}

/**
 * Changes the ledger, the attempts and the transactions as if the transactions had expired or, if
 * they landed with an error, as if that had been seen at first.
 */
async function removeTransfers(
  tx: DbTransaction,
  reversed: readonly VanishedPayment[],
  now: Date,
): Promise<void> {
  if (reversed.length === 0) return;
  const ids = reversed.map(({ id }) => id);
  // An expired transaction has no slot and no fee. The fee of a failed one was paid.
  const slots = reversed.map(({ id: paymentId, outcome }) => ({
    paymentId,
    ...(outcome.state === 'landed' ? { slot: outcome.slot } : {}),
  }));
  const outcomes = reversed.map(({ signature, outcome }) => ({
    signature,
    ...(outcome.state === 'landed' ? { slot: outcome.slot, error: outcome.err } : {}),
  }));
  await tx.$executeRaw`DELETE FROM "ChainTransfer" WHERE "paymentId" = ANY(${ids}::uuid[])`;
  await tx.$executeRaw`UPDATE "Payment" SET "finalityCheckAt" = NULL WHERE "id" = ANY(${ids}::uuid[])`;
  await tx.$executeRaw`
    UPDATE "Attempt" a SET "status" = 'VOID', "settledAt" = ${now},
      "feeLamports" = CASE WHEN r."slot" IS NOT NULL THEN a."feeLamports" END
    FROM ${recordsOf('ChainTransfer', slots)} AS r
    WHERE a."paymentId" = r."paymentId" AND a."status" = 'SUCCEEDED'`;
  await tx.$executeRaw`
    UPDATE "TransferTransaction" t SET "settledAt" = ${now}, "slot" = r."slot", "error" = r."error",
      "status" = CASE WHEN r."slot" IS NULL THEN 'EXPIRED' ELSE 'FAILED' END::"TransferTransactionStatus",
      "feeLamports" = CASE WHEN r."slot" IS NOT NULL THEN t."feeLamports" END
    FROM ${recordsOf('TransferTransaction', outcomes)} AS r
    WHERE t."signature" = r."signature" AND t."status" = 'LANDED' AND NOT EXISTS (
      SELECT FROM "Attempt" a WHERE a."transactionId" = t."id" AND a."status" IN ('SUBMITTED', 'SUCCEEDED'))`;
}
