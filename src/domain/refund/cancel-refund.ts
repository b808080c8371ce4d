import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Refund } from '../../generated/prisma/client.ts';
import type { ActingScope } from '../audit/actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findRefund } from './find-refund.ts';
import { publishRefund } from './publish-refund.ts';

/**
 * Cancels a refund that was not sent, so that its amount can be refunded otherwise. A repeated call
 * changes nothing. A transfer that was signed before, or is sent by its link, still counts.
 *
 * @throws BillingError not_found, or invalid_request if it has succeeded or expired; param `id`
 */
export async function cancelRefund(
  ctx: Pick<AppContext, 'db' | 'clock' | 'live'>,
  by: ActingScope,
  id: string,
): Promise<Refund> {
  const refund = await ctx.db.$transaction(async (tx) => {
    const found = await findRefund(tx, by, id);
    const { count } = await tx.refund.updateMany({
      where: { id, status: 'PENDING' },
      data: { status: 'CANCELLED' },
    });
    if (count > 0) await recordAudit(ctx, tx, by, { action: 'refund.cancelled', targetId: found.id });
    return findRefund(tx, by, id);
  });
  if (refund.status !== 'CANCELLED') {
    throw invalidRequest('id', `The refund is ${refund.status}: only a pending one can be cancelled.`);
  }
  await publishRefund(ctx, refund);
  return refund;
}
