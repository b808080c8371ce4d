import type { AppContext } from '../../../app.ts';
import type { Member } from '../../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validText } from '../../kernel/input/valid-text.ts';
import { lockMember } from './lock-team.ts';

const MAX_NAME = 100;

/**
 * Sets the name of a member; null removes it. The same name changes nothing.
 *
 * @throws BillingError not_found, param `id`; invalid_request, param `name`
 */
export async function renameMember(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingForMerchant,
  { id, name: newName }: { readonly id: string; readonly name: string | null },
): Promise<Member> {
  const name = newName === null ? null : validText('name', newName, MAX_NAME);
  return ctx.db.$transaction(async (tx) => {
    const before = await lockMember(tx, scope.merchantId, id);
    if (before.name === name) return before;
    const changes = changedFields({ name: before.name }, { name });
    await recordAudit(ctx, tx, scope, { action: 'member.renamed', targetId: before.walletAddress, changes });
    return tx.member.update({ where: { id }, data: { name } });
  });
}
