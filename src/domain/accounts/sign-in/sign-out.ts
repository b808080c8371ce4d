import type { AppContext } from '../../../app.ts';
import type { MemberCaller } from '../../kernel/access/caller.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { publishMemberSessionEnds } from './publish-member-session-ends.ts';

/** Ends the member session and its open streams. */
export async function signOut(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  scope: ActingForMerchant,
  { sessionId: id, walletAddress }: MemberCaller,
): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.memberSession.deleteMany({ where: { id } });
    if (count === 0) return;
    await recordAudit(ctx, tx, scope, { action: 'member.signed_out', targetId: walletAddress });
  });
  await publishMemberSessionEnds(ctx, [{ id }]);
}

/**
 * Ends all member sessions of the wallet, in all browsers and for all its merchants. Returns their
 * number.
 */
export async function signOutEverywhere(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  scope: ActingForMerchant,
  { walletAddress }: MemberCaller,
): Promise<number> {
  const ended = await ctx.db.$transaction(async (tx) => {
    const sessions = await tx.memberSession.findMany({
      where: { member: { walletAddress } },
      select: { id: true },
    });
    await tx.memberSession.deleteMany({ where: { id: { in: sessions.map(({ id }) => id) } } });
    await recordAudit(ctx, tx, scope, { action: 'member.signed_out_everywhere', targetId: walletAddress });
    return sessions;
  });
  await publishMemberSessionEnds(ctx, ended);
  return ended.length;
}
