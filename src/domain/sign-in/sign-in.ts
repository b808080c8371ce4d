import type { AppContext } from '../../app.ts';
import type { Member } from '../../generated/prisma/client.ts';
import type { RequestOrigin } from '../audit/actor.ts';
import { membershipsOf } from './memberships.ts';
import { noMember, type OpenedSession, openSession } from './open-session.ts';
import { type SignedMessage, verifySignedMessage } from './verify-signed-message.ts';

/**
 * Opens a session for the wallet that signed. Where it is a member of several merchants, for the one whose own wallet it
 * is, else for the one that it was signed in at last, so that nobody who invites it gets in between; who never was, for the
 * one that invited it first. `chooseMerchant` goes to another.
 *
 * @throws BillingError as `verifySignedMessage`; authentication_error where the wallet is no member anywhere
 */
export async function signIn(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  signed: SignedMessage,
  from: RequestOrigin,
): Promise<OpenedSession> {
  const walletAddress = await verifySignedMessage(ctx, signed);
  const memberships = await membershipsOf(ctx.db, walletAddress);
  const own = memberships.find(({ merchant }) => merchant.walletAddress === walletAddress);
  const member = own ?? (await lastUsed(ctx.db, memberships)) ?? memberships[0];
  if (!member) throw noMember();
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    await tx.memberSession.deleteMany({
      where: { memberId: member.id, OR: [{ expiresAt: { lte: now } }, { idleUntil: { lte: now } }] },
    });
    return openSession(ctx, tx, member, from);
  });
}

async function lastUsed<M extends Member>(
  db: Pick<AppContext['db'], 'auditEntry'>,
  memberships: readonly M[],
): Promise<M | undefined> {
  const own = memberships.map(({ id: actorId, merchantId }) => ({ merchantId, actorId }));
  const last = await db.auditEntry.findFirst({
    where: { action: 'member.signed_in', OR: own },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { actorId: true },
  });
  return memberships.find(({ id }) => id === last?.actorId);
}
