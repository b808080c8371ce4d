import type { AppContext } from '../../../app.ts';
import type { Discount } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { changedFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { assertEndsAfterStart, type DiscountChanges, validDiscountChanges } from './discount-terms.ts';
import { findDiscount } from './find-discount.ts';

/**
 * Changes who gets a discount from now on; omitted settings stay unchanged. Subscriptions that have it
 * keep it, and so do checkouts with transactions to sign.
 *
 * @throws BillingError not_found, param `id`; invalid_request, with the field as param
 */
export async function updateDiscount(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  scope: ActingScope,
  id: string,
  input: DiscountChanges,
): Promise<Discount> {
  const changed = validDiscountChanges(input);
  return ctx.db.$transaction(async (tx) => {
    const before = await findDiscount(tx, scope, id, 'id');
    assertEndsAfterStart(before.startsAt, changed.endsAt);
    const { name, isActive, maxRedemptions, maxPerCustomer } = before;
    const settings = { name, isActive, endsAt: before.endsAt, maxRedemptions, maxPerCustomer };
    const changes = changedFields(settings, { ...changed });
    if (Object.keys(changes).length === 0) return before;
    await recordAudit(ctx, tx, scope, { action: 'discount.updated', targetId: id, changes });
    return tx.discount.update({ where: { id }, data: changed });
  });
}
