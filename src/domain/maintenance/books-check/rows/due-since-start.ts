import { Prisma } from '../../../../generated/prisma/client.ts';
import { MIN_SECONDS_TO_LAND } from '../../../billing/schedule/period.ts';

/**
 * The seconds from the start of a subscription to a due date, from those to its time without regard to the
 * chain's periods: `paymentPeriod` of schedule/period.ts. All arguments are bigint columns.
 */
export function dueSinceStart(sinceStart: Prisma.Sql, period: Prisma.Sql): Prisma.Sql {
  const left = Prisma.sql`(${period} - ${sinceStart} % ${period})`;
  return Prisma.sql`(${sinceStart} + CASE WHEN ${left} < ${MIN_SECONDS_TO_LAND} THEN ${left} ELSE 0 END)`;
}
