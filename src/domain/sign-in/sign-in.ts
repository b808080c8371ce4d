import type { AppContext } from '../../app.ts';
import type { RequestOrigin } from '../audit/actor.ts';
import { membershipsOf } from './memberships.ts';
import { noMember, type OpenedSession, openSession } from './open-session.ts';
import { type SignedMessage, verifySignedMessage } from './verify-signed-message.ts';

/**
 * Opens a session for the wallet that signed. Where it is a member of several merchants, for the one whose own wallet it
 * is, else the one that invited it first; `chooseMerchant` goes to another.
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
  const member = own ?? memberships[0];
  if (!member) throw noMember();
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    await tx.memberSession.deleteMany({
      where: { memberId: member.id, OR: [{ expiresAt: { lte: now } }, { idleUntil: { lte: now } }] },
    });
    return openSession(ctx, tx, member, from);
  });
}
