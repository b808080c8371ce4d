import type { AppContext } from '../app.ts';
import { BLOCKED_DELAY_MS } from '../domain/billing/collect/collect-decision.ts';
import { isDue, LONGEST_DELAY } from '../domain/billing/collect/due.ts';
import { type OutboxPosition, outboxPositionAfter } from '../domain/messages/event/outbox-position.ts';
import { countOutbox } from '../domain/messages/event/read-outbox.ts';
import { preferIndexes } from '../domain/messages/event/take-new-events.ts';
import { type Environment, Prisma } from '../generated/prisma/client.ts';

/** Maximum rows that a scrape counts. */
export const MAX_COUNTED = 100_000;
/** Longer than enqueueing, waiting and one transaction usually take. */
const OVERDUE_MS = 60_000;
/** Payments that dues postpones are retried within this time. Their due date has passed already. */
const POSTPONED_MS = BLOCKED_DELAY_MS;

type Reader = Pick<AppContext, 'db' | 'clock'>;

export interface PaymentsWaiting {
  readonly due: number;
  /**
   * Payments that were due more than a minute ago and are not collected: waiting, postponed by
   * dues, or in a transaction. The count uses the due date, which no attempt changes, plus the time by
   * which the plan lets the subscription's first attempt be later. It excludes
   * payments that failed because of the payer, until a minute after their next attempt is due, and
   * payments that wait for the merchant to repair the plan.
   */
  readonly overdue: number;
  /** Seconds since that time of the oldest overdue payment; 0 if there is none. */
  readonly lagSeconds: number;
  /** Stored transactions whose outcome is not known. */
  readonly openTransactions: number;
}

/** The time by which a payment is attempted. The first one of a subscription is attempted when it is due. */
const promisedAt = (dueAt: Prisma.Sql) =>
  Prisma.sql`${dueAt} + CASE WHEN ${dueAt} > s."startedAt" THEN ${LONGEST_DELAY} ELSE interval '0' END`;

/** Counts the payments that are due and not collected. */
export async function paymentsWaiting(
  { db, clock }: Reader,
  environment: Environment,
): Promise<PaymentsWaiting> {
  const now = clock.now();
  const overdueSince = new Date(now.getTime() - OVERDUE_MS);
  const [row] = await db.$queryRaw<PaymentsWaiting[]>(Prisma.sql`
    WITH waiting AS (
      SELECT "id", "planId", "status", "startedAt", "nextPaymentAt", "nextAttemptAt", ${isDue(clock)} AS "isDue"
      FROM "Subscription"
      WHERE "environment" = ${environment}::"Environment" AND "status" IN ('ACTIVE', 'PAST_DUE')
        AND "nextAttemptAt" <= ${new Date(now.getTime() + POSTPONED_MS)}
      ORDER BY "nextAttemptAt" LIMIT ${MAX_COUNTED}
    ), open AS (
      SELECT "id" FROM "TransferTransaction"
      WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUBMITTED' LIMIT ${MAX_COUNTED}
    ), overdue AS (
      SELECT promised."at" AS "dueAt" FROM waiting s JOIN "Plan" p ON p."id" = s."planId"
        CROSS JOIN LATERAL (SELECT CASE
          WHEN s."status" = 'ACTIVE' THEN ${promisedAt(Prisma.sql`s."nextPaymentAt"`)} ELSE s."nextAttemptAt" END AS "at") promised
      WHERE promised."at" <= ${overdueSince} AND p."currentProblem" IS NULL
      UNION ALL
      SELECT promised."at" FROM open JOIN "Attempt" a ON a."transactionId" = open."id" AND a."status" = 'SUBMITTED'
        JOIN "Payment" y ON y."id" = a."paymentId"
        JOIN "Subscription" s ON s."id" = y."subscriptionId" AND s."failureCount" = 0
        JOIN "Plan" p ON p."id" = s."planId"
        CROSS JOIN LATERAL (SELECT ${promisedAt(Prisma.sql`y."dueAt"`)} AS "at") promised
      WHERE promised."at" <= ${overdueSince}
    )
    SELECT (SELECT count(*) FILTER (WHERE "isDue") FROM waiting)::int AS "due", count(*)::int AS "overdue",
      coalesce(extract(epoch FROM ${now}::timestamptz - min("dueAt")), 0)::float8 AS "lagSeconds",
      (SELECT count(*) FROM open)::int AS "openTransactions"
    FROM overdue`);
  return row ?? { due: 0, overdue: 0, lagSeconds: 0, openTransactions: 0 };
}

export interface WebhooksWaiting {
  /** Pending deliveries, whatever their position in their line. */
  readonly waiting: number;
  /** Seconds since the delivery that waits longest was due; 0 if none waits. */
  readonly lagSeconds: number;
  /** Events without deliveries. */
  readonly unrelayed: number;
}

/** Counts the events that are not relayed and the deliveries that are not delivered yet. */
export async function webhooksWaiting(
  { db, clock }: Reader,
  progress: OutboxProgress,
): Promise<WebhooksWaiting> {
  const now = clock.now();
  const unrelayed = await countUnrelayed(db, progress);
  const [row] = await db.$queryRaw<Omit<WebhooksWaiting, 'unrelayed'>[]>`
    WITH waiting AS (
      SELECT "nextAttemptAt" FROM "Delivery" WHERE "status" = 'PENDING'
      ORDER BY "nextAttemptAt" LIMIT ${MAX_COUNTED}
    )
    SELECT count(*)::int AS "waiting",
      greatest(0, coalesce(extract(epoch FROM ${now}::timestamptz - min("nextAttemptAt")), 0))::float8 AS "lagSeconds"
    FROM waiting`;
  return { waiting: 0, lagSeconds: 0, ...row, unrelayed };
}

export interface MailsWaiting {
  /** Mails that are neither sent nor given up. */
  readonly waiting: number;
  /** Seconds since the mail that waits longest was due; 0 if none waits. */
  readonly lagSeconds: number;
}

/** Counts the mails that are not sent yet. */
export async function mailsWaiting({ db, clock }: Reader): Promise<MailsWaiting> {
  // Mails for which a person waits are due before their creation, so that they are sent first.
  // Their lag counts from their creation.
  const [row] = await db.$queryRaw<MailsWaiting[]>`
    WITH waiting AS (
      SELECT greatest("nextAttemptAt", "createdAt") AS "dueAt" FROM "Mail" WHERE "status" = 'QUEUED'
      ORDER BY "nextAttemptAt" LIMIT ${MAX_COUNTED}
    )
    SELECT count(*)::int AS "waiting",
      greatest(0, coalesce(extract(epoch FROM ${clock.now()}::timestamptz - min("dueAt")), 0))::float8 AS "lagSeconds"
    FROM waiting`;
  return row ?? { waiting: 0, lagSeconds: 0 };
}

/** The position before which the outbox was seen to be empty, kept between scrapes. */
export interface OutboxProgress {
  position: OutboxPosition;
}

async function countUnrelayed(db: Reader['db'], progress: OutboxProgress): Promise<number> {
  const { count, position } = await db.$transaction(async (tx) => {
    await preferIndexes(tx);
    const { count, first, from, snapshot } = await countOutbox(tx, progress.position, MAX_COUNTED);
    return { count, position: outboxPositionAfter(from, snapshot, first) };
  });
  progress.position = position;
  return count;
}
