import type { AppContext } from '../../app.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/**
 * Lets all open sessions of members and customers last longer, before the clock jumps ahead by that
 * time.
 */
export async function extendSessions(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  seconds: number,
): Promise<void> {
  const now = clock.now();
  const longer = Prisma.sql`
    SET "idleUntil" = "idleUntil" + make_interval(secs => ${seconds}::int),
      "expiresAt" = "expiresAt" + make_interval(secs => ${seconds}::int)
    WHERE "idleUntil" > ${now} AND "expiresAt" > ${now}`;
  await db.$executeRaw(Prisma.sql`UPDATE "MemberSession" ${longer}`);
  await db.$executeRaw(Prisma.sql`UPDATE "PortalSession" ${longer}`);
}
