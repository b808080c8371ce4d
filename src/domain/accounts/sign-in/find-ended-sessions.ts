import type { AppContext } from '../../../app.ts';

/** The member sessions that are over: signed out, expired, or their member removed. */
export async function findEndedSessions(
  { db, wallClock }: Pick<AppContext, 'db' | 'wallClock'>,
  sessionIds: readonly string[],
): Promise<string[]> {
  const now = wallClock.now();
  const open = await db.memberSession.findMany({
    where: { id: { in: [...sessionIds] }, idleUntil: { gt: now }, expiresAt: { gt: now } },
    select: { id: true },
  });
  const openIds = new Set(open.map(({ id }) => id));
  return sessionIds.filter((id) => !openIds.has(id));
}
