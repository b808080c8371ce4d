import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import type { PaymentKey } from '../book/read-books.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { withBooks } from '../book/with-books.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { paymentOfPeriod } from '../schedule/period.ts';
import { readLedgerReach } from './ledger-reach.ts';
import { missPayment } from './payment-of-period.ts';
import { type ChangedPayment, publishPayments } from './publish-payments.ts';

/** Maximum payments per call, of one database transaction. */
export const UNDECIDED_PER_CALL = 500;

interface Undecided extends PaymentKey {
  readonly id: string;
  /**
   * Whether it failed because of the payer, which has its own event, and was not reversed, after
   * which it was due again for another reason.
   */
  readonly hasFailed: boolean;
}

/**
 * Marks payments as missed whose periods were over while the ledger was not complete, if it is now
 * and has no transfer of theirs. Others wait, and do not delay them. A complete ledger stays
 * complete, so this is not checked again under the locks: only the payment's status is.
 */
export async function decideUndecidedPayments(ctx: AppContext, environment: Environment): Promise<void> {
  const { readTo, setAsideTo } = await readLedgerReach(ctx.db, environment, []);
  // The status is a literal: with a parameter the partial index "Payment_undecided" is not used.
  const undecided = await ctx.db.$queryRaw<Undecided[]>`
    SELECT p."id", p."subscriptionId", p."periodStart", p."ordinal",
      p."failureCode" IS NOT NULL AND NOT EXISTS (
        SELECT FROM "Event" e WHERE e."subscriptionId" = p."subscriptionId"
          AND e."type" = 'subscription.payment_reversed' AND e."data"->>'paymentId' = p."id"::text
      ) AS "hasFailed"
    FROM "Payment" p JOIN "Subscription" s ON s."id" = p."subscriptionId"
    WHERE p."environment" = ${environment}::"Environment" AND p."status" = 'DUE'
      AND p."undecidedSince" <= to_timestamp(${readTo}) AND p."periodStart" > ${setAsideTo}
      AND NOT EXISTS (
        SELECT FROM "ChainTransfer" t
        WHERE t."environment" = p."environment" AND t."subscriptionAddress" = s."address"
          AND t."paymentId" IS NULL AND t."periodStart" = p."periodStart")
    ORDER BY p."undecidedSince", p."periodStart" LIMIT ${UNDECIDED_PER_CALL}`;
  const decided = await splitOnFailure(
    undecided,
    (payments) => decideTogether(ctx, environment, payments),
    ({ id }, err) => ctx.log.error({ err, environment, payment: id }, 'payment not decided: will be retried'),
  );
  if (decided.length === 0) return;
  await publishPayments(ctx, decided);
  // A failed payment was reported when it failed.
  const hasFailed = new Set(undecided.filter((payment) => payment.hasFailed).map(({ id }) => id));
  const payments = decided.filter(({ paymentId }) => !hasFailed.has(paymentId)).length;
  if (payments === 0) return;
  ctx.log.error({ environment, payments }, 'payments missed: their periods ended before they were collected');
}

function decideTogether(
  ctx: AppContext,
  environment: Environment,
  undecided: readonly Undecided[],
): Promise<ChangedPayment[]> {
  return withBooks(ctx, undecided, ({ books, now }) => {
    const decided = undecided.flatMap(
      ({ id: paymentId, subscriptionId, periodStart, ordinal, hasFailed }) => {
        const book = books.get(subscriptionId);
        const isMissed = book?.apply(() => {
          const period = paymentOfPeriod(scheduleOf(book.subscription), periodStart);
          const payment = book.payment({ periodStart, ordinal });
          if (!period || payment?.status !== 'DUE' || payment.undecidedSince === null) return false;
          // Its transaction may still land.
          if (payment.submitted) return false;
          if (hasFailed) book.setPayment(payment, { status: 'MISSED' });
          else missPayment(book, payment, now);
          return true;
        });
        if (!book || !isMissed) return [];
        const { merchantId } = book.subscription;
        return [{ merchantId, environment, subscriptionId, paymentId }];
      },
    );
    for (const { subscription, ruleError: err } of books.values()) {
      if (err !== undefined)
        ctx.log.error({ err, subscription: subscription.address }, 'payment not decided');
    }
    return decided;
  });
}
