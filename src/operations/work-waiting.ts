import type { AppContext } from '../app.ts';
import { isDue } from '../domain/payment/due.ts';
import { type Environment, Prisma } from '../generated/prisma/client.ts';

/** A scrape counts no further: more than this is too much, however much it is. */
export const COUNTED_AT_MOST = 100_000;
/** Due for longer than the sweep, a queue and a transaction take. */
const OVERDUE_MS = 60_000;

type Reader = Pick<AppContext, 'db' | 'clock'>;

export interface PaymentsWaiting {
  readonly due: number;
  readonly overdue: number;
  /** Since when the one that waits longest is due; 0 where none waits. */
  readonly lagSeconds: number;
  /** Transactions that were written down and that the chain has not answered for. */
  readonly openTransactions: number;
}

/** What is to be collected and is not. Nobody has it in hand. */
export async function paymentsWaiting(
  { db, clock }: Reader,
  environment: Environment,
): Promise<PaymentsWaiting> {
  const now = clock.now();
  const overdueSince = new Date(now.getTime() - OVERDUE_MS);
  const [row] = await db.$queryRaw<PaymentsWaiting[]>(Prisma.sql`
    WITH due AS (
      SELECT "nextAttemptAt" FROM "Subscription"
      WHERE "environment" = ${environment}::"Environment" AND ${isDue(now)}
      ORDER BY "nextAttemptAt" LIMIT ${COUNTED_AT_MOST}
    ), open AS (
      SELECT FROM "TransferTransaction"
      WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUBMITTED' LIMIT ${COUNTED_AT_MOST}
    )
    SELECT count(*)::int AS "due",
      (count(*) FILTER (WHERE "nextAttemptAt" <= ${overdueSince}))::int AS "overdue",
      coalesce(extract(epoch FROM ${now}::timestamptz - min("nextAttemptAt")), 0)::float8 AS "lagSeconds",
      (SELECT count(*) FROM open)::int AS "openTransactions"
    FROM due`);
  return row ?? { due: 0, overdue: 0, lagSeconds: 0, openTransactions: 0 };
}

export interface WebhooksWaiting {
  /** Deliveries that are not over, in whichever place of their line. */
  readonly waiting: number;
  /** Since when the one that waits longest could have been tried; 0 where none waits. */
  readonly lagSeconds: number;
  /** Events that no delivery has been made of yet. */
  readonly unrelayed: number;
}

/** What merchants are to be told and have not been. */
export async function webhooksWaiting({ db, clock }: Reader): Promise<WebhooksWaiting> {
  const now = clock.now();
  const [row] = await db.$queryRaw<WebhooksWaiting[]>`
    WITH waiting AS (
      SELECT "nextAttemptAt" FROM "Delivery" WHERE "status" = 'PENDING'
      ORDER BY "nextAttemptAt" LIMIT ${COUNTED_AT_MOST}
    ), unrelayed AS (
      SELECT FROM "Event" WHERE "relayedAt" IS NULL LIMIT ${COUNTED_AT_MOST}
    )
    SELECT count(*)::int AS "waiting",
      greatest(0, coalesce(extract(epoch FROM ${now}::timestamptz - min("nextAttemptAt")), 0))::float8 AS "lagSeconds",
      (SELECT count(*) FROM unrelayed)::int AS "unrelayed"
    FROM waiting`;
  return row ?? { waiting: 0, lagSeconds: 0, unrelayed: 0 };
}
