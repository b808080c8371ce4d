import type { AppContext } from '../../../app.ts';
import type { Merchant } from '../../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { type ProfileInput, validProfile } from './profile.ts';

/**
 * Changes a merchant's public profile; omitted fields stay unchanged. A changed logo URL deletes an
 * uploaded logo. The wallet cannot change: every plan on chain names it as owner and only receiver,
 * and a plan's terms never change.
 *
 * @throws BillingError invalid_request, param as in the input
 */
export async function updateProfile(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingForMerchant,
  input: ProfileInput,
): Promise<Merchant> {
  const data = validProfile(input);
  const { merchantId: id } = scope;
  return ctx.db.$transaction(async (tx) => {
    const before = await tx.merchant.findUniqueOrThrow({ where: { id } });
    const changes = changedFields({ ...before }, { ...data });
    if (Object.keys(changes).length === 0) return before;
    await recordAudit(ctx, tx, scope, { action: 'merchant.updated', targetId: id, changes });
    if ('logoUrl' in changes) await tx.merchantLogo.deleteMany({ where: { merchantId: id } });
    return tx.merchant.update({ where: { id }, data });
  });
}
