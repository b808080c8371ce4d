import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { dayOf, daysBetween } from './days.ts';

/** Checkout sessions are counted one by one, so the range is shorter than that of the metrics. */
const MAX_DAYS = 92;

/** The checkout sessions that were created on a UTC day, by outcome. */
export interface ConversionDay {
  readonly day: string;
  readonly created: number;
  readonly completed: number;
  readonly expired: number;
}

/**
 * Every day of a range with the sessions created on it, first to last.
 *
 * @throws BillingError invalid_request, param `from` or `to`
 */
export async function checkoutConversion(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { merchantId, environment }: Scope,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ConversionDay[]> {
  const now = clock.now();
  const days = daysBetween(from, to, dayOf(now));
  if (days.length > MAX_DAYS)
    throw invalidRequest('to', `to must be at most ${MAX_DAYS} days after \`from\`.`);
  const rows = await db.$queryRaw<ConversionDay[]>(Prisma.sql`
    SELECT ("createdAt" AT TIME ZONE 'UTC')::date::text AS "day", count(*)::int AS "created",
      count(*) FILTER (WHERE "status" = 'COMPLETED')::int AS "completed",
      count(*) FILTER (WHERE "status" = 'EXPIRED' OR ("status" = 'OPEN' AND "expiresAt" <= ${now}))::int AS "expired"
    FROM "CheckoutSession"
    WHERE "merchantId" = ${merchantId}::uuid AND "environment" = ${environment}::"Environment"
      AND "createdAt" >= ${new Date(`${from}T00:00:00Z`)}
      AND "createdAt" < ${new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000)}
    GROUP BY 1`);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => byDay.get(day) ?? { day, created: 0, completed: 0, expired: 0 });
}
