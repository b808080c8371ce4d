import type { AppContext } from '../../../app.ts';
import type { Member, MemberRole } from '../../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { lockMember, refuseLastOwner } from './lock-team.ts';

/**
 * Changes a member's role from its next request on. The same role again changes nothing.
 *
 * @throws BillingError not_found, or invalid_request for the last owner; param `id`
 */
export async function changeMemberRole(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingForMerchant,
  { id, role }: { readonly id: string; readonly role: MemberRole },
): Promise<Member> {
  return ctx.db.$transaction(async (tx) => {
    const before = await lockMember(tx, scope.merchantId, id);
    if (before.role === role) return before;
    if (before.role === 'OWNER') await refuseLastOwner(tx, before);
    const changes = changedFields(before, { role });
    await recordAudit(ctx, tx, scope, {
      action: 'member.role_changed',
      targetId: before.walletAddress,
      changes,
    });
    return tx.member.update({ where: { id }, data: { role } });
  });
}
