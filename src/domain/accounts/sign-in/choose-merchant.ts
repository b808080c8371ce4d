import type { AppContext } from '../../../app.ts';
import { BillingError, notFound } from '../../../errors.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import type { RequestOrigin } from '../../kernel/audit-log/actor.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { publishMemberSessionEnds } from './publish-member-session-ends.ts';

/**
 * Opens a member session at another merchant of the wallet and ends this one with its streams: a
 * member session never changes its member.
 *
 * @throws BillingError not_found, param `merchantId`; authentication_error if the member session
 *   has ended
 */
export async function chooseMerchant(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock' | 'wallClock' | 'live'>,
  { walletAddress, sessionId: id }: MemberCaller,
  { merchantId }: { readonly merchantId: string },
  origin: RequestOrigin,
): Promise<OpenedSession> {
  const member = isId(merchantId)
    ? await ctx.db.member.findFirst({ where: { merchantId, walletAddress } })
    : null;
  if (!member) throw notFound('merchant', 'merchantId');
  const opened = await ctx.db.$transaction(async (tx) => {
    const [ended] = await tx.memberSession.findMany({ where: { id } });
    const { count } = await tx.memberSession.deleteMany({ where: { id } });
    if (!ended || count === 0) throw new BillingError('authentication_error', 'This session has ended.');
    return openSession(ctx, tx, member, origin, ended.expiresAt);
  });
  await publishMemberSessionEnds(ctx, [{ id }]);
  return opened;
}
