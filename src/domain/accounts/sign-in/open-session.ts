import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { BillingError } from '../../../errors.ts';
import { type Member, Prisma } from '../../../generated/prisma/client.ts';
import { generateSessionToken, hashSessionToken } from '../../../secrets.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import { SCOPES_OF_ROLE } from '../../kernel/access/member-role.ts';
import type { Actor, RequestOrigin } from '../../kernel/audit-log/actor.ts';
import { MAX_USER_AGENT, recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { newEnds } from './session-lifetime.ts';

export interface OpenedSession {
  readonly caller: MemberCaller;
  /** The value of the cookie, which only the browser has. */
  readonly token: string;
  /** Maximum lifetime, even if the member session is used all the time. */
  readonly maxAgeSeconds: number;
}

/**
 * Stores a member session as a hash.
 *
 * @throws BillingError authentication_error if the member was just removed
 * @param expiresAt the expiry of the member session that this one replaces, as a limit
 */
export async function openSession(
  ctx: Pick<AppContext, 'config' | 'clock' | 'wallClock'>,
  tx: DbTransaction,
  member: Member,
  origin: RequestOrigin,
  expiresAt?: Date,
): Promise<OpenedSession> {
  const { id: memberId, merchantId, walletAddress } = member;
  const locked = await tx.$queryRaw<object[]>(
    Prisma.sql`SELECT 1 FROM "Member" WHERE "id" = ${memberId}::uuid FOR KEY SHARE`,
  );
  if (locked.length === 0) throw noMember();
  const token = generateSessionToken();
  const now = ctx.wallClock.now();
  const ends = newEnds(now);
  const session = await tx.memberSession.create({
    data: {
      ...ends,
      expiresAt: expiresAt ?? ends.expiresAt,
      memberId,
      hash: hashSessionToken(ctx.config.secretKey, token),
      createdAt: now,
      ipAddress: origin.ipAddress ?? null,
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    },
  });
  const actor: Actor = { ...origin, kind: 'MEMBER', id: memberId, walletAddress };
  await recordAudit(ctx, tx, { merchantId, actor }, { action: 'member.signed_in', targetId: walletAddress });
  return {
    caller: memberCaller(member, session.id, 'TEST'),
    token,
    maxAgeSeconds: Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000),
  };
}

/**
 * The caller of a member in one of the environments, which share the team and its member sessions.
 */
export function memberCaller(
  { id: memberId, merchantId, walletAddress, role }: Member,
  sessionId: string,
  environment: MemberCaller['environment'],
): MemberCaller {
  const scopes = SCOPES_OF_ROLE[role];
  return { kind: 'member', merchantId, environment, memberId, sessionId, walletAddress, role, scopes };
}

export function noMember(): BillingError {
  return new BillingError('authentication_error', 'This wallet is not a member of any merchant.');
}
