// Receipt numbers have no gaps: the counter of a merchant is raised in the transaction that stores
// the receipts, so a transaction that fails uses no numbers. Payments are locked first, then
// counters, both in a fixed order, so workers do not deadlock. Collecting takes none of these
// locks: receipts are issued when payments become final.
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import type { Config } from '../../../config.ts';
import { insertRows, recordsOf } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { PREPARED } from '../../../db/prepared.ts';
import { chainWasRead } from '../../../db/timeline.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { countsAsCustomer } from '../../chain-state/collector/worth-rent.ts';
import { type PaidFacts, readPaidFacts, type UnreadablePayment } from './paid-facts.ts';
import { writeDocument } from './write-document.ts';

/** Maximum receipts per database transaction. */
const BATCH_SIZE = 500;
/** Delay before the receipt of a payment whose rows cannot be used is retried. */
const RETRY_DELAY_MS = 60 * 60_000;

export type IssuingContext = Pick<AppContext, 'config' | 'db' | 'clock' | 'chain' | 'away' | 'log'>;

/**
 * Marks payments as final and issues their receipts, in batches of one database transaction each.
 * Skips payments that have a receipt, or that another worker is processing. If the rows of a
 * payment cannot be used, it becomes final without a receipt, and the receipt is retried an hour
 * later. Nothing is issued while the chain has not been read since the database came back. The
 * caller must have checked that the transactions of the payments are finalized. Returns the number of
 * payments that were done with.
 *
 * @throws errors of the cluster or the database; receipts of finished batches stay
 */
export async function issueReceipts(
  ctx: IssuingContext,
  environment: Environment,
  paymentIds: readonly string[],
): Promise<number> {
  let done = 0;
  for (const ids of inChunks(paymentIds, BATCH_SIZE)) {
    const { paid, unreadable } = await readPaidFacts(ctx, environment, ids);
    done += await ctx.db.$transaction(async (tx) => {
      // The numbers may have been given out by rows that were lost.
      if (!(await chainWasRead(tx, environment))) return 0;
      return (await issueTogether(ctx, tx, paid)) + (await setAside(ctx, tx, unreadable));
    });
  }
  return done;
}

async function setAside(
  { clock }: IssuingContext,
  tx: DbTransaction,
  unreadable: readonly UnreadablePayment[],
): Promise<number> {
  if (unreadable.length === 0) return 0;
  const ids = (await lockOpen(tx, unreadable)).map(({ paymentId }) => paymentId);
  const finalityCheckAt = new Date(clock.now().getTime() + RETRY_DELAY_MS);
  await tx.payment.updateMany({ where: { id: { in: ids } }, data: { finalized: true, finalityCheckAt } });
  return ids.length;
}

async function issueTogether(
  { config, clock, log }: IssuingContext,
  tx: DbTransaction,
  paid: readonly PaidFacts[],
): Promise<number> {
  const open = await lockOpen(tx, paid);
  const proven = open.filter(({ transfer }) => transfer !== null);
  const issuedAt = clock.now();
  const nextNumber = await takeNumbers(
    tx,
    proven.map((facts) => ({ ...facts, isCustomer: isCustomer(config, facts) })),
  );
  const receipts = proven.map((facts) => {
    const { paymentId, merchantId, environment, customerId } = facts;
    const number = nextNumber(facts);
    const document = writeDocument(facts, number, issuedAt);
    return { paymentId, merchantId, environment, customerId, number, issuedAt, document };
  });
  await insertRows(tx, 'Receipt', RECEIPT_COLUMNS, receipts);
  const unproven = open.filter(({ transfer }) => transfer === null);
  for (const { paymentId } of unproven)
    log.error({ payment: paymentId }, 'payment without a known transfer: no receipt');
  await markFinal(tx, [...receipts, ...unproven.map(({ paymentId }) => ({ paymentId, number: 0 }))]);
  return open.length;
}

/** Locks the payments that still have no receipt, and returns them. */
async function lockOpen<P extends UnreadablePayment>(tx: DbTransaction, paid: readonly P[]): Promise<P[]> {
  const rows = await tx.$queryRaw<{ id: string; signature: string }[]>`
    SELECT "id", "signature" FROM "Payment"
    WHERE "id" = ANY(${paid.map(({ paymentId }) => paymentId)}::uuid[]) AND "status" = 'SUCCEEDED'
      AND "receiptNumber" IS NULL
    ORDER BY "id" FOR UPDATE SKIP LOCKED`;
  const open = new Map(rows.map(({ id, signature }) => [id, signature]));
  return paid.filter(({ paymentId, signature }) => open.get(paymentId) === signature);
}

function isCustomer({ clusters }: Config, { environment, transfer, asset, ...facts }: PaidFacts): boolean {
  const cluster = clusters[environment];
  if (!cluster || !transfer) return false;
  return countsAsCustomer(cluster, { ...facts, amount: transfer.amount, decimals: asset.decimals });
}

type Numbered = Pick<PaidFacts, 'merchantId' | 'environment'>;
/** What one transaction adds to a merchant's counter. */
type Counts = Numbered & { readonly count: number; readonly customers: number };

/** Raises the counters, and returns a function that gives the next number of a merchant. */
async function takeNumbers(
  tx: DbTransaction,
  payments: readonly (Numbered & { readonly isCustomer: boolean })[],
): Promise<(payment: Numbered) => number> {
  const counts = new Map<string, Counts>();
  for (const { merchantId, environment, isCustomer } of payments) {
    const key = keyOf({ merchantId, environment });
    const { count, customers } = counts.get(key) ?? { count: 0, customers: 0 };
    counts.set(key, {
      merchantId,
      environment,
      count: count + 1,
      customers: customers + (isCustomer ? 1 : 0),
    });
  }
  const rows = counts.size === 0 ? [] : await raiseCounters(tx, [...counts.values()]);
  const next = new Map(rows.map((row) => [keyOf(row), row.last - (counts.get(keyOf(row))?.count ?? 0) + 1]));
  return (payment) => {
    const number = next.get(keyOf(payment));
    if (number === undefined) throw new Error(`the counter of ${keyOf(payment)} was not raised`);
    next.set(keyOf(payment), number + 1);
    return number;
  };
}

const keyOf = ({ merchantId, environment }: Numbered) => `${merchantId} ${environment}`;

function raiseCounters(tx: DbTransaction, counts: readonly Counts[]) {
  const rows = counts.map(({ count, customers, ...counter }) => ({
    ...counter,
    last: count,
    customerCount: customers,
  }));
  return tx.$queryRaw<(Numbered & { last: number })[]>`
    INSERT INTO "ReceiptCounter" AS c ("merchantId", "environment", "last", "customerCount")
    SELECT "merchantId", "environment", "last", "customerCount" FROM ${recordsOf('ReceiptCounter', rows)} AS r
    ORDER BY r."merchantId", r."environment"
    ON CONFLICT ("merchantId", "environment") DO UPDATE SET "last" = c."last" + excluded."last",
      "customerCount" = c."customerCount" + excluded."customerCount"
    RETURNING "merchantId", "environment"::text, "last"`;
}

const RECEIPT_COLUMNS = [
  ...(['paymentId', 'merchantId', 'environment', 'customerId', 'number', 'issuedAt', 'document'] as const),
] as const;

async function markFinal(
  tx: DbTransaction,
  payments: readonly { readonly paymentId: string; readonly number: number }[],
): Promise<void> {
  if (payments.length === 0) return;
  await tx.$executeRaw`${PREPARED}
    UPDATE "Payment" SET "finalized" = true, "receiptNumber" = r."number"
    FROM unnest(${payments.map(({ paymentId }) => paymentId)}::uuid[],
      ${payments.map(({ number }) => number)}::int[]) AS r("id", "number")
    WHERE "Payment"."id" = r."id"`;
}
