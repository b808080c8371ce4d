import type { AppContext } from '../../../app.ts';
import type { Member } from '../../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { publishMemberSessionEnds } from '../sign-in/publish-member-session-ends.ts';
import { lockMember, refuseLastOwner } from './lock-team.ts';

/**
 * Removes a member and ends all their member sessions for this merchant. The wallet can be invited
 * again.
 *
 * @throws BillingError not_found, or invalid_request for the last owner; param `id`
 */
export async function removeMember(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  scope: ActingForMerchant,
  { id }: { readonly id: string },
): Promise<Member> {
  const { removed, sessions } = await ctx.db.$transaction(async (tx) => {
    const member = await lockMember(tx, scope.merchantId, id);
    if (member.role === 'OWNER') await refuseLastOwner(tx, member);
    const sessions = await tx.memberSession.findMany({ where: { memberId: id }, select: { id: true } });
    await recordAudit(ctx, tx, scope, { action: 'member.removed', targetId: member.walletAddress });
    await tx.member.delete({ where: { id } });
    return { removed: member, sessions };
  });
  await publishMemberSessionEnds(ctx, sessions);
  return removed;
}
