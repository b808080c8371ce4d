import type { AppContext } from '../../../app.ts';
import { notFound } from '../../../errors.ts';
import type { Member, MemberSession, Merchant } from '../../../generated/prisma/client.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import type { Actor } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import { publishMemberSessionEnds } from './publish-member-session-ends.ts';

/** Maximum member sessions of a list; older ones expire within 7 days. */
export const MAX_MEMBER_SESSIONS = 100;

export type ListedMemberSession = MemberSession & {
  readonly member: Member & { readonly merchant: Merchant };
};

/**
 * The open member sessions of a wallet, in all browsers and for all its merchants, newest first.
 */
export function listMemberSessions(
  { db, wallClock }: Pick<AppContext, 'db' | 'wallClock'>,
  { walletAddress }: Pick<MemberCaller, 'walletAddress'>,
): Promise<ListedMemberSession[]> {
  const now = wallClock.now();
  return db.memberSession.findMany({
    where: { member: { walletAddress }, idleUntil: { gt: now }, expiresAt: { gt: now } },
    include: { member: { include: { merchant: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_MEMBER_SESSIONS,
  });
}

/**
 * Ends one member session of the wallet and its open streams.
 *
 * @throws BillingError not_found, param `id`
 */
export async function endMemberSession(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  { walletAddress }: Pick<MemberCaller, 'walletAddress'>,
  actor: Actor | undefined,
  id: string,
): Promise<void> {
  if (!isId(id)) throw notFound('member session', 'id');
  await ctx.db.$transaction(async (tx) => {
    const session = await tx.memberSession.findFirst({
      where: { id, member: { walletAddress } },
      include: { member: true },
    });
    const { count } = await tx.memberSession.deleteMany({ where: { id, member: { walletAddress } } });
    if (!session || count === 0) throw notFound('member session', 'id');
    const { merchantId } = session.member;
    await recordAudit(
      ctx,
      tx,
      { merchantId, actor },
      { action: 'member.signed_out', targetId: walletAddress },
    );
  });
  await publishMemberSessionEnds(ctx, [{ id }]);
}
