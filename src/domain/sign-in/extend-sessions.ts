import type { AppContext } from '../../app.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/**
 * Extends all open member sessions and portal sessions by the time that the clock is about to jump
 * ahead.
 */
export async function extendSessions(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  seconds: number,
): Promise<void> {
  const now = clock.now();
  const extension = Prisma.sql`
    SET "idleUntil" = "idleUntil" + make_interval(secs => ${seconds}::int),
      "expiresAt" = "expiresAt" + make_interval(secs => ${seconds}::int)
    WHERE "idleUntil" > ${now} AND "expiresAt" > ${now}`;
  await db.$executeRaw(Prisma.sql`UPDATE "MemberSession" ${extension}`);
  await db.$executeRaw(Prisma.sql`UPDATE "PortalSession" ${extension}`);
}
