import type { AppContext } from '../../../app.ts';
import type { DatabaseTimeline, Environment } from '../../../generated/prisma/client.ts';
import type { NotPutBack } from './put-changes-back.ts';

/** How long before the lost time a merchant's rows count as activity near it. */
const NEAR_MS = 3_600_000;
/** Merchants that are named; of the others only the number is told. */
const MAX_MERCHANTS = 50;

/** Timelines that are looked at; a failover begins one too. */
const MAX_RESTORES = 20;

/** A time that the database of an environment came back, for its operator. */
export interface Restore extends Pick<DatabaseTimeline, 'environment' | 'number' | 'lostFrom' | 'readAt'> {
  readonly lostUntil: Date;
  /** Payments that are due now. They are held until `readAt`. */
  readonly duePayments: number;
  /** Receipt numbers that were made void. */
  readonly voidReceipts: number;
  /** Kept changes that could not be made again. */
  readonly notPutBack: readonly NotPutBack[];
  /** Those with rows of the hour before, the most rows first. */
  readonly merchants: readonly RestoredMerchant[];
  readonly moreMerchants: number;
}

export interface RestoredMerchant {
  readonly id: string;
  readonly companyName: string;
  readonly events: number;
  readonly checkouts: number;
  readonly keys: number;
  /** Entries of the audit log, of this environment or both. */
  readonly changes: number;
  /** When a member confirmed that the data was compared. */
  readonly checkedAt: Date | null;
}

/**
 * The restores of an environment that a merchant with rows near them has not checked, and the newest
 * one in any case, newest first. Empty if its database never came back.
 */
export async function openRestores(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  environment: Environment,
): Promise<Restore[]> {
  const timelines = await ctx.db.databaseTimeline.findMany({
    where: { environment, number: { gt: 1 } },
    orderBy: { number: 'desc' },
    take: MAX_RESTORES,
  });
  const restores: Restore[] = [];
  for (const timeline of timelines) restores.push(await describe(ctx, timeline));
  const isOpen = ({ merchants, moreMerchants }: Restore) =>
    moreMerchants > 0 || merchants.some(({ checkedAt }) => checkedAt === null);
  return restores.filter((restore, index) => index === 0 || isOpen(restore));
}

async function describe(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  timeline: DatabaseTimeline,
): Promise<Restore> {
  const { environment, number, lostFrom, readAt, detectedAt } = timeline;
  const lostUntil = timeline.lostUntil ?? detectedAt;
  const nearFrom = new Date((lostFrom ?? lostUntil).getTime() - NEAR_MS);
  const [duePayments, voided, merchants] = await Promise.all([
    db.subscription.count({
      where: {
        environment,
        status: { in: ['ACTIVE', 'PAST_DUE'] },
        nextAttemptAt: { lte: clock.now() },
      },
    }),
    db.$queryRaw<{ count: number }[]>`
      SELECT coalesce(sum("last" - "first" + 1), 0)::int AS "count" FROM "VoidReceipts"
      WHERE "environment" = ${environment}::"Environment" AND "createdAt" = ${readAt}`,
    db.$queryRaw<(RestoredMerchant & { total: number })[]>`
      WITH near AS (
        SELECT m."id", m."companyName",
          (SELECT count(*)::int FROM "Event" WHERE "merchantId" = m."id"
            AND "environment" = ${environment}::"Environment"
            AND "createdAt" >= ${nearFrom} AND "createdAt" <= ${lostUntil}) AS "events",
          (SELECT count(*)::int FROM "CheckoutSession" WHERE "merchantId" = m."id"
            AND "environment" = ${environment}::"Environment"
            AND "createdAt" >= ${nearFrom} AND "createdAt" <= ${lostUntil}) AS "checkouts",
          (SELECT count(*)::int FROM "ApiKey" WHERE "merchantId" = m."id"
            AND "environment" = ${environment}::"Environment"
            AND "createdAt" >= ${nearFrom} AND "createdAt" <= ${lostUntil}) AS "keys",
          (SELECT count(*)::int FROM "AuditEntry" WHERE "merchantId" = m."id"
            AND ("environment" = ${environment}::"Environment" OR "environment" IS NULL)
            AND "createdAt" >= ${nearFrom} AND "createdAt" <= ${lostUntil}) AS "changes"
        FROM "Merchant" m
      )
      SELECT near.*, (
        SELECT min("checkedAt") FROM "RestoreCheck"
        WHERE "merchantId" = near."id" AND "environment" = ${environment}::"Environment" AND "number" >= ${number}
      ) AS "checkedAt", (count(*) OVER ())::int AS "total"
      FROM near WHERE "events" + "checkouts" + "keys" + "changes" > 0
      ORDER BY "events" + "checkouts" + "keys" + "changes" DESC, "id" LIMIT ${MAX_MERCHANTS}`,
  ]);
  return {
    environment,
    number,
    lostFrom,
    lostUntil,
    readAt,
    duePayments,
    voidReceipts: voided[0]?.count ?? 0,
    notPutBack: timeline.notPutBack as unknown as NotPutBack[],
    merchants,
    moreMerchants: (merchants[0]?.total ?? 0) - merchants.length,
  };
}
