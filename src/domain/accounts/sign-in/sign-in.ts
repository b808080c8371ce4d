import type { AppContext } from '../../../app.ts';
import type { Member } from '../../../generated/prisma/client.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import type { RequestOrigin } from '../../kernel/audit-log/actor.ts';
import { endReplacedSession } from './end-replaced-session.ts';
import { membershipsOf } from './memberships.ts';
import { noMember, type OpenedSession, openSession } from './open-session.ts';
import { maySignUp } from './sign-up.ts';
import { type SignedMessage, storeForSignUp, verifySignedMessage } from './verify-signed-message.ts';

/**
 * Opens a member session for the wallet that signed. If the wallet is a member of several
 * merchants, the merchant with this wallet is chosen first; then the one of the last sign-in, so
 * that a new invitation is not chosen; then the oldest membership. `chooseMerchant` switches to
 * another.
 *
 * @param replaced the member session of the browser, which ends
 * @throws BillingError as `verifySignedMessage`; authentication_error if the wallet is not a member
 *   anywhere (if it may sign up, the message can then be used once more for that)
 */
export async function signIn(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock' | 'live'>,
  signed: SignedMessage,
  origin: RequestOrigin,
  replaced?: MemberCaller,
): Promise<OpenedSession> {
  const verified = await verifySignedMessage(ctx, signed);
  const walletAddress = verified.wallet;
  const memberships = await membershipsOf(ctx.db, walletAddress);
  const own = memberships.find(({ merchant }) => merchant.walletAddress === walletAddress);
  const member = own ?? (await lastUsed(ctx.db, memberships)) ?? memberships[0];
  if (!member) {
    if (await maySignUp(ctx, walletAddress)) await storeForSignUp(ctx, verified);
    throw noMember();
  }
  const now = ctx.wallClock.now();
  const opened = await ctx.db.$transaction(async (tx) => {
    await tx.memberSession.deleteMany({
      where: { memberId: member.id, OR: [{ expiresAt: { lte: now } }, { idleUntil: { lte: now } }] },
    });
    return openSession(ctx, tx, member, origin);
  });
  await endReplacedSession(ctx, replaced);
  return opened;
}

async function lastUsed<M extends Member>(
  db: Pick<AppContext['db'], 'auditEntry'>,
  memberships: readonly M[],
): Promise<M | undefined> {
  const actors = memberships.map(({ id: actorId, merchantId }) => ({ merchantId, actorId }));
  const last = await db.auditEntry.findFirst({
    where: { action: 'member.signed_in', OR: actors },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { actorId: true },
  });
  return memberships.find(({ id }) => id === last?.actorId);
}
