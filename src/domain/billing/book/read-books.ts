import type { DbTransaction } from '../../../db/db.ts';
import { PREPARED } from '../../../db/prepared.ts';
import { sequenceFloor } from '../../../db/timeline.ts';
import { type Environment, Prisma, type RetryPolicy, type Waiver } from '../../../generated/prisma/client.ts';
import type { Traceparent } from '../../../observability/tracing/trace.ts';
import { DEFAULT_RETRY_SETTINGS, retriesOf } from '../../accounts/merchant/retry-settings.ts';
import { linesOf } from '../price/line.ts';
import { LINE_SOURCES } from '../price/line-sources.ts';
import {
  Book,
  type BookedPayment,
  type BookedSubscription,
  type BookedWaiver,
  type PaymentPosition,
} from './book.ts';

/** Names the payments of a period by their subscription row and the period's start on chain. */
export interface PeriodKey {
  readonly subscriptionId: string;
  readonly periodStart: bigint;
}

/** Names one payment. */
export interface PaymentKey extends PeriodKey, PaymentPosition {}

/** The columns of a subscription and of its customer. */
type SubscriptionRow = Omit<
  BookedSubscription,
  'plan' | 'customer' | 'merchant' | 'settings' | 'waivers' | 'discount' | 'mrr' | 'sequenceFloor'
> &
  BookedSubscription['customer'] & {
    readonly priceId: string;
    readonly mrr: string;
    readonly discountName: string | null;
    readonly percentBps: number | null;
    readonly discountAmount: bigint | null;
    readonly discountFrom: number | null;
    readonly discountUntil: number | null;
  };

/** The columns of a plan with one of its prices, and of its merchant and settings. */
type PlanRow = BookedSubscription['plan'] & {
  readonly priceId: string;
  readonly sequenceFloor: number;
  readonly receiver: string;
  readonly retryPolicy: RetryPolicy;
  readonly maxFailures: number | null;
  readonly retryDelaysSeconds: number[] | null;
  /** Of the plan, or else of the environment. */
  readonly graceSeconds: number | null;
};

// OFFSET 0 keeps the customer an index lookup: for a batch PostgreSQL may read all customers.
const SELECT_SUBSCRIPTIONS = Prisma.sql`
  SELECT s."id", s."merchantId", s."environment"::text, s."address", s."chainCreatedAt",
    s."anchorOffsetSeconds", s."lineSources", s."walletAddress", s."tokenAccount", s."metadata", s."cancelAtPeriodEnd",
    s."status"::text, s."nextPaymentAt", s."nextAttemptAt", s."claimedUntil", s."paymentCount",
    s."failureCount", s."accessUntil", s."cancelledAt", s."closedAt", s."lastSequence", s."nextAmount", s."mrr"::text,
    s."priceId", s."discountFrom", s."discountUntil", d."name" AS "discountName", d."percentBps", d."amount" AS "discountAmount",
    c."email", c."customerId"
  FROM "Subscription" s
    CROSS JOIN LATERAL (
      SELECT "email", "customerId" FROM "Customer" WHERE "id" = s."customerId" OFFSET 0) c
    LEFT JOIN LATERAL (
      SELECT t."name", t."percentBps", t."amount" FROM "DiscountRedemption" r
        CROSS JOIN LATERAL (SELECT * FROM "Discount" WHERE "id" = r."discountId" OFFSET 0) t
      WHERE r."id" = s."discountRedemptionId" OFFSET 0) d ON s."discountRedemptionId" IS NOT NULL`;

const SELECT_PLANS = Prisma.sql`
  SELECT p."id", r."id" AS "priceId", ${sequenceFloor(Prisma.sql`p."environment"`)} AS "sequenceFloor",
    p."planId", p."name", p."address", p."status"::text AS "planStatus", p."currentProblem"::text AS "problem",
    p."mint", p."tokenProgram", r."amount", p."maxAmount", p."periodSeconds", p."intervalSeconds",
    p."collectWithinSeconds", p."endsAt",
    m."walletAddress" AS "receiver",
    p."retryPolicy"::text, t."maxFailures", t."retryDelaysSeconds", coalesce(p."graceSeconds", t."graceSeconds") AS "graceSeconds"
  FROM "Price" r
    JOIN "Plan" p ON p."id" = r."planId"
    JOIN "Merchant" m ON m."id" = p."merchantId"
    LEFT JOIN "MerchantSettings" t ON t."merchantId" = p."merchantId" AND t."environment" = p."environment"`;

/** Locks the subscriptions until the database transaction ends, then reads them. */
export function readBooks(tx: DbTransaction, ids: readonly string[]): Promise<Map<string, Book>> {
  return lockAndRead(tx, Prisma.sql`"id" = ANY(${[...new Set(ids)]}::uuid[])`);
}

/**
 * Locks all subscriptions at these addresses until the database transaction ends, then reads them.
 */
export function readBooksAt(
  tx: DbTransaction,
  environment: Environment,
  addresses: readonly string[],
): Promise<Map<string, Book>> {
  const addressCondition = Prisma.sql`"address" = ANY(${[...new Set(addresses)]})`;
  return lockAndRead(tx, Prisma.sql`"environment" = ${environment}::"Environment" AND ${addressCondition}`);
}

// Two statements, because a single one would read the joined tables as of its start. If its lock
// waited for a transaction that gives the subscription to another customer, the join would find no
// customer and leave the row out.
async function lockAndRead(tx: DbTransaction, condition: Prisma.Sql): Promise<Map<string, Book>> {
  // Everything that locks several subscriptions locks them in the order of their ids.
  const locked = await tx.$queryRaw<{ id: string }[]>`${PREPARED}
    SELECT "id" FROM "Subscription" WHERE ${condition} ORDER BY "id" FOR UPDATE`;
  if (locked.length === 0) return new Map();
  return readUnlocked(
    tx,
    locked.map(({ id }) => id),
  );
}

/** Reads subscriptions without a lock, to show them. Nothing of these books may be written. */
export async function readUnlocked(
  db: Pick<DbTransaction, '$queryRaw'>,
  ids: readonly string[],
): Promise<Map<string, Book>> {
  const rows = await db.$queryRaw<SubscriptionRow[]>`${PREPARED}
    ${SELECT_SUBSCRIPTIONS} WHERE s."id" = ANY(${[...ids]}::uuid[]) ORDER BY s."id"`;
  const plans = await readPlans(db, rows);
  const waivers = await readWaivers(db, rows);
  return new Map(
    rows.flatMap((row) => {
      const plan = plans.get(row.priceId);
      return plan ? [[row.id, bookOf(row, plan, waivers.get(row.id) ?? [])]] : [];
    }),
  );
}

/** What subscriptions with the same price share. It is read once, because a batch has few plans. */
type SharedFacts = Pick<BookedSubscription, 'plan' | 'merchant' | 'settings' | 'sequenceFloor'>;

async function readPlans(
  db: Pick<DbTransaction, '$queryRaw'>,
  rows: readonly SubscriptionRow[],
): Promise<ReadonlyMap<string, SharedFacts>> {
  const priceIds = [...new Set(rows.map(({ priceId }) => priceId))];
  const plans = await db.$queryRaw<PlanRow[]>`${PREPARED}
    ${SELECT_PLANS} WHERE r."id" = ANY(${priceIds}::uuid[])`;
  return new Map(plans.map((row) => [row.priceId, sharedFactsOf(row)]));
}

function sharedFactsOf({
  priceId: _,
  sequenceFloor,
  receiver,
  retryPolicy,
  maxFailures,
  retryDelaysSeconds,
  graceSeconds,
  ...plan
}: PlanRow): SharedFacts {
  return {
    plan,
    sequenceFloor,
    merchant: { walletAddress: receiver },
    settings: retriesOf(retryPolicy, {
      maxFailures: maxFailures ?? DEFAULT_RETRY_SETTINGS.maxFailures,
      retryDelaysSeconds: retryDelaysSeconds ?? DEFAULT_RETRY_SETTINGS.retryDelaysSeconds,
      graceSeconds: graceSeconds ?? DEFAULT_RETRY_SETTINGS.graceSeconds,
    }),
  };
}

/** The waivers that have not ended. Only subscriptions that have some are read. */
async function readWaivers(
  db: Pick<DbTransaction, '$queryRaw'>,
  rows: readonly SubscriptionRow[],
): Promise<ReadonlyMap<string, readonly BookedWaiver[]>> {
  const ids = rows.flatMap(({ id, lineSources }) => (lineSources & LINE_SOURCES.WAIVER ? [id] : []));
  if (ids.length === 0) return new Map();
  const waivers = await db.$queryRaw<Waiver[]>`
    SELECT "id", "subscriptionId", "kind"::text, "fromIndex", "untilIndex", "keepsAccess", "reason", "actor"::text,
      "createdAt", "endedAt"
    FROM "Waiver" WHERE "subscriptionId" = ANY(${ids}::uuid[]) AND "endedAt" IS NULL`;
  return Map.groupBy(waivers, ({ subscriptionId }) => subscriptionId);
}

type PaymentRow = Omit<BookedPayment, 'submitted' | 'lines'> & {
  readonly lines: unknown;
  readonly subscriptionId: string;
  readonly attemptId: string | null;
  readonly transactionId: string | null;
  readonly transactionSignature: string | null;
  readonly traceparent: Traceparent;
};

/** Reads the payments of these periods into their books, each with its attempt in flight. */
export async function loadPayments(
  tx: Pick<DbTransaction, '$queryRaw'>,
  books: ReadonlyMap<string, Book>,
  keys: readonly PeriodKey[],
): Promise<void> {
  if (keys.length === 0) return;
  const rows = await tx.$queryRaw<PaymentRow[]>`${PREPARED}
    ${SELECT_PAYMENTS}
    FROM unnest(
        ${keys.map(({ subscriptionId }) => subscriptionId)}::uuid[],
        ${keys.map(({ periodStart }) => periodStart)}::bigint[]
      ) AS k("subscriptionId", "periodStart")
      JOIN "Payment" p ON p."subscriptionId" = k."subscriptionId" AND p."periodStart" = k."periodStart"
      ${WITH_ATTEMPT}`;
  for (const { subscriptionId, periodStart } of keys) books.get(subscriptionId)?.markRead(periodStart);
  loadInto(books, rows);
}

/** Reads all DUE payments of these subscriptions into their books. */
export async function loadDuePayments(
  tx: DbTransaction,
  books: ReadonlyMap<string, Book>,
  subscriptionIds: readonly string[],
): Promise<void> {
  if (subscriptionIds.length === 0) return;
  const rows = await tx.$queryRaw<PaymentRow[]>`
    ${SELECT_PAYMENTS} FROM "Payment" p ${WITH_ATTEMPT}
    WHERE p."subscriptionId" = ANY(${subscriptionIds}::uuid[]) AND p."status" = 'DUE'`;
  loadInto(books, rows);
}

const SELECT_PAYMENTS = Prisma.sql`
  SELECT p."subscriptionId", p."id", p."periodStart", p."ordinal", p."dueAt", p."kind"::text, p."amount", p."lines",
    p."paidAmount", p."status"::text, p."waivedReason"::text, p."number", p."signature", p."collectedByUs", p."paidAt", p."undecidedSince",
    EXISTS (SELECT 1 FROM "Attempt" f WHERE f."paymentId" = p."id" AND f."status" = 'FAILED') AS "hasFailed",
    CASE WHEN p."ordinal" = 0 THEN '{}' ELSE ARRAY(SELECT x."signature" FROM "Attempt" e
      JOIN "TransferTransaction" x ON x."id" = e."transactionId" WHERE e."paymentId" = p."id") END AS "signatures",
    a."id" AS "attemptId", a."transactionId", t."signature" AS "transactionSignature", t."traceparent"`;
const WITH_ATTEMPT = Prisma.sql`
  LEFT JOIN "Attempt" a ON a."paymentId" = p."id" AND a."status" = 'SUBMITTED'
  LEFT JOIN "TransferTransaction" t ON t."id" = a."transactionId"`;

function loadInto(books: ReadonlyMap<string, Book>, rows: readonly PaymentRow[]): void {
  for (const {
    subscriptionId,
    attemptId,
    transactionId,
    transactionSignature,
    traceparent,
    ...payment
  } of rows) {
    const submitted =
      attemptId && transactionId && transactionSignature
        ? { id: attemptId, transactionId, signature: transactionSignature, traceparent }
        : null;
    books.get(subscriptionId)?.load({ ...payment, lines: linesOf(payment), submitted });
  }
}

// Field by field: a charge reads its subscription three times.
function bookOf(row: SubscriptionRow, shared: SharedFacts, waivers: readonly BookedWaiver[]): Book {
  const { discountName, discountFrom } = row;
  return new Book({
    id: row.id,
    merchantId: row.merchantId,
    environment: row.environment,
    address: row.address,
    chainCreatedAt: row.chainCreatedAt,
    anchorOffsetSeconds: row.anchorOffsetSeconds,
    lineSources: row.lineSources,
    walletAddress: row.walletAddress,
    tokenAccount: row.tokenAccount,
    metadata: row.metadata,
    sequenceFloor: shared.sequenceFloor,
    status: row.status,
    nextPaymentAt: row.nextPaymentAt,
    nextAttemptAt: row.nextAttemptAt,
    claimedUntil: row.claimedUntil,
    paymentCount: row.paymentCount,
    failureCount: row.failureCount,
    accessUntil: row.accessUntil,
    cancelledAt: row.cancelledAt,
    closedAt: row.closedAt,
    cancelAtPeriodEnd: row.cancelAtPeriodEnd,
    lastSequence: row.lastSequence,
    nextAmount: row.nextAmount,
    mrr: BigInt(row.mrr),
    waivers,
    discount:
      discountName !== null && discountFrom !== null
        ? {
            name: discountName,
            percentBps: row.percentBps,
            amount: row.discountAmount,
            from: discountFrom,
            until: row.discountUntil,
          }
        : null,
    plan: shared.plan,
    customer: { email: row.email, customerId: row.customerId },
    merchant: shared.merchant,
    settings: shared.settings,
  });
}
