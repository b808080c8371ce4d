import { recordsOf } from '../../../db/bulk.ts';
import type { Db } from '../../../db/db.ts';
import type { Environment, Prisma } from '../../../generated/prisma/client.ts';

/** Identifies a period of a subscription address, the unit of the comparison. */
export interface PeriodKey {
  readonly subscription: string;
  /** Unix seconds. */
  readonly periodStart: bigint;
}

export interface BookedPayment extends PeriodKey {
  readonly id: string;
  readonly amount: bigint;
  readonly signature: string | null;
}

const PAYMENTS_PER_PAGE = 1_000;
/** Maximum periods of one query. */
export const KEYS_PER_QUERY = 1_000;

export function keyOf({ subscription, periodStart }: PeriodKey): string {
  return `${subscription} ${periodStart}`;
}

/** The periods as rows, in SQL. */
export function recordsOfPeriods(keys: readonly PeriodKey[]): Prisma.Sql {
  const rows = keys.map(({ subscription, periodStart }) => ({
    subscriptionAddress: subscription,
    periodStart,
  }));
  return recordsOf('ChainTransfer', rows);
}

/** Reads the successful payments of these periods. */
export function paymentsOfPeriods(
  db: Db,
  environment: Environment,
  keys: readonly PeriodKey[],
): Promise<BookedPayment[]> {
  return db.$queryRaw<BookedPayment[]>`
    SELECT p."id", s."address" AS "subscription", p."periodStart", p."paidAmount" AS "amount", p."signature"
    FROM ${recordsOfPeriods(keys)} AS k
      JOIN "Subscription" s ON s."environment" = ${environment}::"Environment" AND s."address" = k."subscriptionAddress"
      JOIN "Payment" p ON p."subscriptionId" = s."id" AND p."periodStart" = k."periodStart"
    WHERE p."status" = 'SUCCEEDED'`;
}

/** Reads all successful payments of a plan, in pages. */
export async function* paymentsOfPlan(db: Db, planId: string): AsyncGenerator<readonly BookedPayment[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await db.$queryRaw<BookedPayment[]>`
      SELECT p."id", s."address" AS "subscription", p."periodStart", p."paidAmount" AS "amount", p."signature"
      FROM "Payment" p JOIN "Subscription" s ON s."id" = p."subscriptionId"
      WHERE s."planId" = ${planId}::uuid AND p."status" = 'SUCCEEDED' AND p."id" > ${after}::uuid
      ORDER BY p."id" LIMIT ${PAYMENTS_PER_PAGE}`;
    yield page;
    const last = page.at(-1);
    if (!last || page.length < PAYMENTS_PER_PAGE) return;
    after = last.id;
  }
}

/** Returns those of the addresses that have a subscription in the database. */
export async function knownSubscriptions(
  db: Db,
  environment: Environment,
  addresses: readonly string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ address: string }[]>`
    SELECT DISTINCT "address" FROM "Subscription"
    WHERE "environment" = ${environment}::"Environment" AND "address" = ANY(${addresses})`;
  return new Set(rows.map(({ address }) => address));
}
