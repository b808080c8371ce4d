import type { AppContext } from '../../../app.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { awaitStandby } from '../../../db/await-standby.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Refund } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { assertNotSent } from './assert-not-sent.ts';
import { findRefund, sendable } from './find-refund.ts';
import { publishRefund } from './publish-refund.ts';

/**
 * Cancels a refund that was not sent, so that its amount can be refunded in another way. A repeated
 * call changes nothing. A transfer that was already signed, or is sent by the refund's link, still
 * counts.
 *
 * @throws BillingError not_found, or invalid_request if it has succeeded or expired, was sent or
 *   may have been sent; param `id`
 */
export async function cancelRefund(ctx: AppContext, scope: ActingScope, id: string): Promise<Refund> {
  const before = await findRefund(ctx.db, scope, id, sendable);
  if (before.status === 'PENDING') {
    const chain = await upToDate(ctx, chainOf(ctx, scope.environment), FEW_ATTEMPTS);
    await assertNotSent(chain, before).catch((cause) => {
      throw replaceNodeBehind(cause, 'id');
    });
  }
  const refund = await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.refund.updateMany({
      where: { id, status: 'PENDING' },
      data: { status: 'CANCELLED' },
    });
    if (count > 0) await recordAudit(ctx, tx, scope, { action: 'refund.cancelled', targetId: id });
    else await awaitStandby(tx);
    return findRefund(tx, scope, id);
  });
  if (refund.status !== 'CANCELLED') {
    throw invalidRequest('id', `The refund is ${refund.status}: only a pending one can be cancelled.`);
  }
  await publishRefund(ctx, refund);
  return refund;
}
