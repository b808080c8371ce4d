import type { AppContext } from '../../../app.ts';
import { isClaimed, readClaimTime } from '../../../db/claim.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Delivery } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { assertReceives } from './assert-receives.ts';
import { lockLines } from './delivery/delivery-lines.ts';
import { enqueueDeliveries } from './delivery/enqueue-deliveries.ts';
import { findDelivery } from './delivery/find-delivery.ts';

/**
 * Resends a delivery now, and publishes its event as resent. A delivery that has ended restarts its
 * schedule without blocking new events. A pending one is attempted now.
 *
 * @throws BillingError not_found or invalid_request, param `deliveryId`, if it cannot be sent now
 */
export async function resendDelivery(
  ctx: Pick<AppContext, 'db' | 'live' | 'clock' | 'jobs' | 'log'>,
  scope: ActingScope,
  id: string,
): Promise<Delivery> {
  const now = ctx.clock.now();
  const { endpointId } = await findDelivery(ctx.db, scope, id, 'deliveryId', {
    select: { endpointId: true },
  });
  const delivery = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange', [endpointId]);
    const { endpoint, ...before } = await findDelivery(tx, scope, id, 'deliveryId', {
      include: { endpoint: true },
    });
    assertReceives(endpoint, 'deliveryId');
    await recordAudit(ctx, tx, scope, { action: 'delivery.replayed', targetId: id });
    if (before.status !== 'PENDING') return restart(tx, before, now);
    assertFree(before, await readClaimTime(tx, ctx.clock));
    // Removes an expired claim, so that a late result of its attempt changes nothing.
    return tx.delivery.update({ where: { id }, data: { nextAttemptAt: now, claimedUntil: null } });
  });
  const { merchantId, environment, eventId } = delivery;
  await ctx.live.publish('event.resent', { merchantId, environment, eventId });
  await enqueueDeliveries(ctx, [{ endpointId }]);
  return delivery;
}

async function restart(
  tx: DbTransaction,
  { id, endpointId, subscriptionId, sequence }: Delivery,
  now: Date,
): Promise<Delivery> {
  const line = { endpointId, subscriptionId, replayed: true, status: 'PENDING' as const };
  const isBehind =
    subscriptionId !== null &&
    sequence !== null &&
    (await tx.delivery.count({ where: { ...line, sequence: { lt: sequence } } })) > 0;
  const nextAttemptAt = isBehind ? null : now;
  return tx.delivery.update({
    where: { id },
    data: { status: 'PENDING', replayed: true, failureCount: 0, nextAttemptAt },
  });
}

function assertFree(delivery: Delivery, time: Date): void {
  if (delivery.nextAttemptAt === null) {
    throw invalidRequest(
      'deliveryId',
      'The delivery waits for an earlier event of its subscription: resend that one.',
    );
  }
  if (isClaimed(delivery, time)) {
    throw invalidRequest('deliveryId', 'The delivery is being sent right now: wait for its result.');
  }
}
