import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { insertRows } from '../../../db/bulk.ts';
import { holdsClaim, readClaimTime } from '../../../db/claim.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { chainWasRead } from '../../../db/timeline.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { type Book, paidAmountOf } from '../book/book.ts';
import { splitOnFailure } from '../book/split-on-failure.ts';
import { COLLECTING } from '../book/status.ts';
import { withBooks } from '../book/with-books.ts';
import type { Claim } from './claim-due.ts';
import { CLUSTER_ERROR_DELAY_MS } from './collect-decision.ts';
import type { PayablePayment } from './prepare-payments.ts';
import { type ReceiverToCreate, reserveReceivers } from './receiver-creations.ts';
import type { Signed } from './sign-payments.ts';

/** The outcome of writing signed transactions. */
export interface Written {
  /** Transactions to send. */
  readonly written: readonly Signed[];
  /** Payments to pack again, because another payment of their transaction must not be sent. */
  readonly toPackAgain: readonly PayablePayment[];
}

/**
 * Writes signed transactions with their attempts, after which the subscriptions are not due. A
 * transaction with a payment that must not be collected any more (cancelled, paid, too late, or
 * submitted by another worker) is not written, and none is while the chain has not been read since the
 * database came back. Nor is one that would exceed the daily limit of new
 * token accounts: its payments are due again later.
 */
export async function writeSigned(
  ctx: AppContext,
  chain: Chain,
  claim: Claim,
  signed: readonly Signed[],
): Promise<Written> {
  const outcomes = await splitOnFailure(
    signed,
    (batch) => writeTogether(ctx, chain, claim, batch),
    ({ signature, payments }, err) => {
      const subscriptions = payments.map(({ subscription }) => subscription.id);
      ctx.log.error({ err, signature, subscriptions }, 'transaction not written: it is not sent');
    },
  );
  return {
    written: outcomes.flatMap(({ written }) => written),
    toPackAgain: outcomes.flatMap(({ toPackAgain }) => toPackAgain),
  };
}

function writeTogether(
  ctx: AppContext,
  { environment, config, collector }: Chain,
  claim: Claim,
  signed: readonly Signed[],
): Promise<Written[]> {
  const keys = signed.flatMap(({ payments }) =>
    payments.map(({ subscription, payment: { periodStart } }) => ({
      subscriptionId: subscription.id,
      periodStart,
    })),
  );
  return withBooks(ctx, keys, async ({ tx, books, now }) => {
    const time = await readClaimTime(tx, ctx.clock);
    const mayCollect = await chainWasRead(tx, environment);
    const isSendable = (payment: PayablePayment) =>
      mayCollect && maySend(books.get(payment.subscription.id), payment, claim, time);
    const sendable = signed.filter(({ payments }) => payments.every(isSendable));
    const requested = sendable.flatMap((transaction) => receiversToCreate(transaction, collector.address));
    const notReserved = await reserveReceivers(tx, environment, requested, {
      now,
      max: config.maxReceiversPerDay,
      afterDays: config.paysRentAfterDays,
    });
    const outcomes = signed.map((transaction): Written => {
      const stillSendable = transaction.payments.filter(isSendable);
      if (stillSendable.length < transaction.payments.length)
        return { written: [], toPackAgain: stillSendable };
      if (notReserved.has(transaction.id)) {
        const nextAttemptAt = new Date(now.getTime() + CLUSTER_ERROR_DELAY_MS);
        for (const { subscription } of stillSendable) {
          books.get(subscription.id)?.set({ nextAttemptAt, claimedUntil: null });
        }
        return { written: [], toPackAgain: [] };
      }
      for (const [index, { subscription, payment }] of transaction.payments.entries()) {
        const book = books.get(subscription.id);
        book?.submit(payment, transaction, transaction.firstPull + index);
        book?.set({ nextAttemptAt: null, claimedUntil: null });
      }
      return { written: [transaction], toPackAgain: [] };
    });
    await insertTransactions(
      tx,
      environment,
      outcomes.flatMap(({ written }) => written),
      now,
    );
    return outcomes;
  });
}

/** The token accounts that a transaction creates before its pulls, one row each. */
function receiversToCreate({ id, payments }: Signed, collector: string): ReceiverToCreate[] {
  const missing = payments.filter(({ pull }) => pull.receiverIsMissing);
  const accounts = new Map(
    missing.map(({ pull, subscription }) => [pull.receiverTokenAccount, subscription]),
  );
  return [...accounts.values()].map(({ merchantId, plan: { mint } }) => ({
    merchantId,
    mint,
    collector,
    transactionId: id,
  }));
}

function maySend(
  book: Book | undefined,
  { payment, booked }: PayablePayment,
  claim: Claim,
  time: Date,
): boolean {
  const found = book?.payment(payment);
  if (!book || found?.status !== 'DUE') return false;
  const payments = book.paymentsOf(payment.periodStart);
  // The guard compared this sum with the chain.
  if (payments.some(({ submitted }) => submitted) || paidAmountOf(payments) !== booked) return false;
  if (!COLLECTING.includes(book.subscription.status)) return false;
  return holdsClaim(book.subscription, claim.until, time);
}

async function insertTransactions(
  tx: DbTransaction,
  environment: Environment,
  signed: readonly Signed[],
  now: Date,
): Promise<void> {
  const rows = signed.map(({ traceparent = null, wire, paidBy, ...transaction }) => ({
    ...transaction,
    collector: paidBy,
    traceparent,
    wire: new Uint8Array(wire),
    environment,
    createdAt: now,
  }));
  await insertRows(tx, 'TransferTransaction', COLUMNS, rows);
}

const COLUMNS = [
  ...(['id', 'environment', 'signature', 'wire', 'lastValidBlockHeight'] as const),
  ...(['collector', 'traceparent', 'createdAt'] as const),
] as const;
