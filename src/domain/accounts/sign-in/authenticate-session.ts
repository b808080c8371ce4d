import type { AppContext } from '../../../app.ts';
import {
  type Environment,
  type Member,
  type MemberSession,
  Prisma,
} from '../../../generated/prisma/client.ts';
import { hashSessionToken } from '../../../secrets.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import { memberCaller } from './open-session.ts';
import { isOpen, movedIdleEnd } from './session-lifetime.ts';

type SessionOfMember = Pick<MemberSession, 'idleUntil' | 'expiresAt'> & Member & { sessionId: string };

/**
 * Finds the signed-in member of a cookie, and extends the idle time of the member session. It
 * queries the database each time, so that a removed member or a changed role takes effect at once.
 * Undefined if the member session is over: the browser is then anonymous and can sign in.
 */
export async function authenticateSession(
  { config, db, wallClock }: Pick<AppContext, 'config' | 'db' | 'wallClock'>,
  token: string,
  environment: Environment,
): Promise<MemberCaller | undefined> {
  const now = wallClock.now();
  const hash = hashSessionToken(config.secretKey, token);
  // In one statement, because the member could be removed between two.
  const [session] = await db.$queryRaw<SessionOfMember[]>(Prisma.sql`
    SELECT m.*, s."id" AS "sessionId", s."idleUntil", s."expiresAt"
    FROM "MemberSession" s JOIN "Member" m ON m."id" = s."memberId" WHERE s."hash" = ${hash}`);
  if (!session || !isOpen(session, now)) return undefined;
  const { sessionId } = session;
  const idleUntil = movedIdleEnd(session, now);
  // Not `update`, which would fail if the member session has just ended.
  if (idleUntil) await db.memberSession.updateMany({ where: { id: sessionId }, data: { idleUntil } });
  return memberCaller(session, sessionId, environment);
}
