import { insertRows, updateRows } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { type AttemptStatus, Prisma } from '../../../generated/prisma/client.ts';
import { afterCommit } from '../../../jobs/in-transaction.ts';
import {
  type ChargeResult,
  countCharges,
  countPaymentsMissed,
} from '../../../observability/metrics/counters.ts';
import { recordEvents } from '../../messages/event/record-event.ts';
import { markStates } from '../customer-state/record-states.ts';
import { enqueuePayments } from '../schedule/enqueue-payments.ts';
import { type AttemptChange, type Book, PAYMENT_COLUMNS } from './book.ts';
import { followDiscount } from './follow-discount.ts';
import { COLLECTING, isUnpaid } from './status.ts';
import { writeStates } from './transition.ts';
import { writeRevenue } from './write-revenue.ts';
import { writeWaivers } from './write-waivers.ts';

/** Writes the changes of the books, in one statement per table. The caller holds their locks. */
export async function writeBooks(tx: DbTransaction, books: Iterable<Book>, at: Date): Promise<void> {
  const validBooks = [...books].filter(({ ruleError }) => ruleError === undefined);
  for (const book of validBooks) {
    const { changedWaivers, subscription: isChanged } = book.changes;
    const { discount, waivers } = book.subscription;
    const isReduced = discount || waivers.length + changedWaivers.length > 0;
    const isUnpaidNow = isUnpaid(book.subscription) || book.mrrRead === 0n;
    if ((isReduced || isUnpaidNow) && (isChanged || changedWaivers.length > 0)) followDiscount(book);
  }
  await insertPayments(tx, validBooks, at);
  await updatePayments(tx, validBooks);
  await insertAttempts(
    tx,
    validBooks.flatMap(({ changes }) => changes.newAttempts),
    at,
  );
  await endAttempts(
    tx,
    validBooks.flatMap(({ changes }) => changes.endedAttempts),
  );
  await writeWaivers(tx, validBooks);
  await writeRevenue(tx, validBooks, at);
  await writeStates(
    tx,
    validBooks.filter(({ changes }) => changes.subscription),
    at,
  );
  await recordEvents(
    tx,
    validBooks.flatMap(({ changes }) => changes.events),
  );
  const moved = validBooks.filter(({ changes }) => changes.access);
  await markStates(
    tx,
    moved.map(({ subscription }) => subscription.id),
    at,
  );
  countEnded(tx, validBooks);
  countMissed(tx, validBooks);
  enqueueNext(tx, validBooks);
}

/** Adds the jobs of next attempts that are due soon, except those of claimed subscriptions. */
function enqueueNext(tx: DbTransaction, books: readonly Book[]): void {
  const next = books.flatMap(({ subscription, changes }) => {
    const { environment, status, nextAttemptAt: at, claimedUntil } = subscription;
    if (!changes.subscription || !at || claimedUntil || !COLLECTING.includes(status)) return [];
    return [{ environment, at, isRetry: status === 'PAST_DUE' }];
  });
  if (next.length > 0) afterCommit(tx, (ctx) => enqueuePayments(ctx, next));
}

function countMissed(tx: DbTransaction, books: readonly Book[]): void {
  const missed = books.filter(({ changes }) =>
    changes.events.some(({ type }) => type === 'subscription.payment_missed'),
  );
  if (missed.length === 0) return;
  afterCommit(tx, () => {
    for (const { subscription, changes } of missed) {
      const events = changes.events.filter(({ type }) => type === 'subscription.payment_missed');
      const { environment, plan } = subscription;
      countPaymentsMissed(environment, plan.problem === null ? 'outage' : 'plan', events.length);
    }
  });
}

/**
 * Counts after the commit: changes that are rolled back are written again, and would count twice.
 */
function countEnded(tx: DbTransaction, books: readonly Book[]): void {
  const ended = books.flatMap(({ subscription: { environment }, changes }) =>
    [...changes.newAttempts, ...changes.endedAttempts].flatMap(({ status }) => {
      const result = RESULTS[status];
      return result ? [{ environment, result }] : [];
    }),
  );
  if (ended.length === 0) return;
  afterCommit(tx, () => {
    for (const { environment, result } of ended) countCharges(environment, result, 1);
  });
}

const RESULTS: Readonly<Record<AttemptStatus, ChargeResult | null>> = {
  SUBMITTED: null,
  SUCCEEDED: 'collected',
  FAILED: 'failed',
  VOID: 'void',
};

const NEW_PAYMENT_COLUMNS = [
  ...(['id', 'merchantId', 'environment', 'subscriptionId', 'planId', 'periodStart', 'ordinal'] as const),
  ...(['dueAt', 'createdAt', 'kind', 'amount', 'lines'] as const),
  ...PAYMENT_COLUMNS,
] as const;
const ATTEMPT_STATE = [
  ...(['status', 'failureCode', 'amountRequired', 'balanceAvailable', 'feeLamports', 'settledAt'] as const),
] as const;

async function insertPayments(tx: DbTransaction, books: readonly Book[], at: Date): Promise<void> {
  const rows = books.flatMap((book) => {
    const { id: subscriptionId, merchantId, environment, plan } = book.subscription;
    return book.newPayments.map((payment) => ({
      subscriptionId,
      planId: plan.id,
      merchantId,
      environment,
      createdAt: at,
      ...payment,
    }));
  });
  await insertRows(tx, 'Payment', NEW_PAYMENT_COLUMNS, rows);
}

async function updatePayments(tx: DbTransaction, books: readonly Book[]): Promise<void> {
  await updateRows(
    tx,
    'Payment',
    PAYMENT_COLUMNS,
    books.flatMap(({ changedPayments }) => changedPayments),
  );
}

async function insertAttempts(tx: DbTransaction, rows: readonly AttemptChange[], at: Date): Promise<void> {
  const columns = ['id', 'paymentId', 'transactionId', 'instruction', ...ATTEMPT_STATE, 'createdAt'] as const;
  await insertRows(
    tx,
    'Attempt',
    columns,
    rows.map((row) => ({ ...row, createdAt: at })),
  );
}

async function endAttempts(tx: DbTransaction, rows: readonly AttemptChange[]): Promise<void> {
  await updateRows(tx, 'Attempt', ATTEMPT_STATE, rows, Prisma.sql`"Attempt"."status" = 'SUBMITTED'`);
}
