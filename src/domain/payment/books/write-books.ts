import type { DbTransaction } from '../../../db.ts';
import { asRows } from '../../../db-rows.ts';
import type { AttemptStatus } from '../../../generated/prisma/client.ts';
import { whenCommitted } from '../../../metrics/count-when-committed.ts';
import { type ChargeResult, countCharges } from '../../../metrics/counters.ts';
import { recordEvents } from '../../event/record-event.ts';
import { writeStates } from '../../subscription/transition.ts';
import type { AttemptChange, Book } from './book.ts';

/** Writes what the books note, in one statement a table, however many they are. The caller holds their locks. */
export async function writeBooks(tx: DbTransaction, books: Iterable<Book>, at: Date): Promise<void> {
  const all = [...books].filter(({ spoiltBy }) => spoiltBy === undefined);
  await insertPayments(tx, all, at);
  await updatePayments(tx, all);
  await insertAttempts(
    tx,
    all.flatMap(({ noted }) => noted.newAttempts),
    at,
  );
  await endAttempts(
    tx,
    all.flatMap(({ noted }) => noted.endedAttempts),
  );
  await writeStates(
    tx,
    all.filter(({ noted }) => noted.subscription),
    at,
  );
  await recordEvents(
    tx,
    all.flatMap(({ noted }) => noted.events),
  );
  countEnded(tx, all);
}

function countEnded(tx: DbTransaction, books: readonly Book[]): void {
  const ended = books.flatMap(({ subscription: { environment }, noted }) =>
    [...noted.newAttempts, ...noted.endedAttempts].flatMap(({ status }) => {
      const result = RESULTS[status];
      return result ? [{ environment, result }] : [];
    }),
  );
  if (ended.length === 0) return;
  whenCommitted(tx, () => {
    for (const { environment, result } of ended) countCharges(environment, result, 1);
  });
}

const RESULTS: Readonly<Record<AttemptStatus, ChargeResult | null>> = {
  SUBMITTED: null,
  SUCCEEDED: 'collected',
  FAILED: 'failed',
  VOID: 'void',
};

async function insertPayments(tx: DbTransaction, books: readonly Book[], at: Date): Promise<void> {
  const rows = books.flatMap((book) => {
    const { id: subscriptionId, merchantId, environment } = book.subscription;
    return [...book.noted.newPayments].map((periodStart) => ({
      ...{ subscriptionId, merchantId, environment, createdAt: at },
      ...book.payment(periodStart),
    }));
  });
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "Payment" ("id", "merchantId", "environment", "subscriptionId", "periodStart", "dueAt", "amount",
      "status", "number", "signature", "collectedByUs", "paidAt", "createdAt")
    SELECT r.* FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "merchantId" uuid,
      "environment" "Environment", "subscriptionId" uuid, "periodStart" bigint, "dueAt" timestamptz, "amount" bigint,
      "status" "PaymentStatus", "number" int, "signature" text, "collectedByUs" boolean, "paidAt" timestamptz,
      "createdAt" timestamptz)`;
}

async function updatePayments(tx: DbTransaction, books: readonly Book[]): Promise<void> {
  const rows = books.flatMap((book) =>
    [...book.noted.changedPayments].map((periodStart) => book.payment(periodStart)),
  );
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE "Payment" SET "amount" = r."amount", "status" = r."status", "number" = r."number",
      "signature" = r."signature", "collectedByUs" = r."collectedByUs", "paidAt" = r."paidAt"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "amount" bigint, "status" "PaymentStatus",
      "number" int, "signature" text, "collectedByUs" boolean, "paidAt" timestamptz)
    WHERE "Payment"."id" = r."id"`;
}

async function insertAttempts(tx: DbTransaction, rows: readonly AttemptChange[], at: Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "Attempt" ("id", "paymentId", "status", "transactionId", "instruction", "failureCode",
      "amountRequired", "balanceAvailable", "settledAt", "createdAt")
    SELECT r.*, ${at}::timestamptz FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "paymentId" uuid,
      "status" "AttemptStatus", "transactionId" uuid, "instruction" int, "failureCode" "FailureCode",
      "amountRequired" bigint, "balanceAvailable" bigint, "settledAt" timestamptz)`;
}

async function endAttempts(tx: DbTransaction, rows: readonly AttemptChange[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    UPDATE "Attempt" SET "status" = r."status", "failureCode" = r."failureCode",
      "amountRequired" = r."amountRequired", "balanceAvailable" = r."balanceAvailable", "settledAt" = r."settledAt"
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "status" "AttemptStatus",
      "failureCode" "FailureCode", "amountRequired" bigint, "balanceAvailable" bigint, "settledAt" timestamptz)
    WHERE "Attempt"."id" = r."id" AND "Attempt"."status" = 'SUBMITTED'`;
}
