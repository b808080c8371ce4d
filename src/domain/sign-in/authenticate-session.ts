import type { AppContext } from '../../app.ts';
import { type Environment, type Member, type MemberSession, Prisma } from '../../generated/prisma/client.ts';
import { hashSessionToken } from '../../secrets.ts';
import type { MemberCaller } from '../merchant/caller.ts';
import { memberCaller } from './open-session.ts';
import { isOpen, movedIdleEnd } from './session-lifetime.ts';

type SessionOfMember = Pick<MemberSession, 'idleUntil' | 'expiresAt'> & Member & { sessionId: string };

/**
 * Who is signed in with this cookie, and moves the session's idle end on. Asks the database each time: who was removed or
 * given another role is so at once. Undefined where the session is over: the browser goes on as nobody, and can sign in.
 */
export async function authenticateSession(
  { config, db, clock }: Pick<AppContext, 'config' | 'db' | 'clock'>,
  token: string,
  environment: Environment,
): Promise<MemberCaller | undefined> {
  const now = clock.now();
  const hash = hashSessionToken(config.secretKey, token);
  // In one statement: between two the member may be removed.
  const [session] = await db.$queryRaw<SessionOfMember[]>(Prisma.sql`
    SELECT m.*, s."id" AS "sessionId", s."idleUntil", s."expiresAt"
    FROM "MemberSession" s JOIN "Member" m ON m."id" = s."memberId" WHERE s."hash" = ${hash}`);
  if (!session || !isOpen(session, now)) return undefined;
  const { sessionId } = session;
  const idleUntil = movedIdleEnd(session, now);
  // Not `update`: it may have been ended this moment.
  if (idleUntil) await db.memberSession.updateMany({ where: { id: sessionId }, data: { idleUntil } });
  return memberCaller(session, sessionId, environment);
}
