import type { AppContext } from '../../app.ts';
import { BillingError, notFound } from '../../errors.ts';
import type { RequestOrigin } from '../audit/actor.ts';
import type { MemberCaller } from '../merchant/caller.ts';
import { isId } from '../merchant/valid-text.ts';
import { announceEnd } from './announce-end.ts';
import { type OpenedSession, openSession } from './open-session.ts';

/**
 * A session at another merchant that the wallet is a member of, in the place of this one, which ends with all that it has
 * open: a session is one member's for as long as it lives.
 *
 * @throws BillingError not_found, param `merchantId`; authentication_error where the session has ended
 */
export async function chooseMerchant(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'live'>,
  { walletAddress, sessionId: id }: MemberCaller,
  { merchantId }: { readonly merchantId: string },
  from: RequestOrigin,
): Promise<OpenedSession> {
  const member = isId(merchantId)
    ? await ctx.db.member.findFirst({ where: { merchantId, walletAddress } })
    : null;
  if (!member) throw notFound('merchant', 'merchantId');
  const opened = await ctx.db.$transaction(async (tx) => {
    const [ended] = await tx.memberSession.findMany({ where: { id } });
    const { count } = await tx.memberSession.deleteMany({ where: { id } });
    if (!ended || count === 0) throw new BillingError('authentication_error', 'This session has ended.');
    return openSession(ctx, tx, member, from, ended.expiresAt);
  });
  await announceEnd(ctx, [{ id }]);
  return opened;
}
