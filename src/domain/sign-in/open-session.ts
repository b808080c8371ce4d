import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import { BillingError } from '../../errors.ts';
import { type Member, Prisma } from '../../generated/prisma/client.ts';
import { generateSessionToken, hashSessionToken } from '../../secrets.ts';
import type { Actor, RequestOrigin } from '../audit/actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { SCOPES_OF_ROLE } from '../member/role.ts';
import type { MemberCaller } from '../merchant/caller.ts';
import { newEnds } from './session-lifetime.ts';

export interface OpenedSession {
  readonly caller: MemberCaller;
  /** The cookie's value: known to the browser and nobody else. */
  readonly token: string;
  /** How long it lives, however much it is used. */
  readonly maxAgeSeconds: number;
}

/**
 * Writes a session of that member down, hashed.
 *
 * @throws BillingError authentication_error where the member was removed this moment
 * @param expiresAt where it takes another one's place: it lives no longer than that one
 */
export async function openSession(
  ctx: Pick<AppContext, 'config' | 'clock'>,
  tx: DbTransaction,
  member: Member,
  from: RequestOrigin,
  expiresAt?: Date,
): Promise<OpenedSession> {
  const { id: memberId, merchantId, walletAddress } = member;
  const held = await tx.$queryRaw<object[]>(
    Prisma.sql`SELECT 1 FROM "Member" WHERE "id" = ${memberId}::uuid FOR KEY SHARE`,
  );
  if (held.length === 0) throw noMember();
  const token = generateSessionToken();
  const now = ctx.clock.now();
  const ends = newEnds(now);
  const session = await tx.memberSession.create({
    data: {
      ...ends,
      expiresAt: expiresAt ?? ends.expiresAt,
      memberId,
      hash: hashSessionToken(ctx.config.secretKey, token),
      createdAt: now,
    },
  });
  const actor: Actor = { ...from, kind: 'MEMBER', id: memberId, walletAddress };
  await recordAudit(ctx, tx, { merchantId, actor }, { action: 'member.signed_in', targetId: walletAddress });
  return {
    caller: memberCaller(member, session.id, 'TEST'),
    token,
    maxAgeSeconds: Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000),
  };
}

/** A member in one of the two environments, which share the team and its sessions. */
export function memberCaller(
  { id: memberId, merchantId, walletAddress, role }: Member,
  sessionId: string,
  environment: MemberCaller['environment'],
): MemberCaller {
  const scopes = SCOPES_OF_ROLE[role];
  return { kind: 'member', merchantId, environment, memberId, sessionId, walletAddress, role, scopes };
}

export function noMember(): BillingError {
  return new BillingError('authentication_error', 'This wallet is no member of any merchant here.');
}
