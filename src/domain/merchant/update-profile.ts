import type { AppContext } from '../../app.ts';
import type { Merchant } from '../../generated/prisma/client.ts';
import type { ActingForMerchant } from '../audit/actor.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { type ProfileInput, validProfile } from './profile.ts';

/**
 * Changes what customers see of a merchant; what is left out stays. Not its wallet: that is written into every plan on
 * chain, as its owner and the only one that it pays, and a plan's terms never change.
 *
 * @throws BillingError invalid_request, param as in the input
 */
export async function updateProfile(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  by: ActingForMerchant,
  input: ProfileInput,
): Promise<Merchant> {
  const data = validProfile(input);
  const { merchantId: id } = by;
  return ctx.db.$transaction(async (tx) => {
    const before = await tx.merchant.findUniqueOrThrow({ where: { id } });
    const changes = changedFields({ ...before }, { ...data });
    if (Object.keys(changes).length === 0) return before;
    await recordAudit(ctx, tx, by, { action: 'merchant.updated', targetId: id, changes });
    return tx.merchant.update({ where: { id }, data });
  });
}
