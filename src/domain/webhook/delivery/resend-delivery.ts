import type { AppContext } from '../../../app.ts';
import type { DbTransaction } from '../../../db.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Delivery } from '../../../generated/prisma/client.ts';
import type { ActingScope } from '../../audit/actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { nudgeRelay } from '../../event/nudge-relay.ts';
import { assertReceives } from '../assert-receives.ts';
import { findDelivery } from './find-delivery.ts';
import { lockLines } from './lines.ts';

/**
 * Sends one again, now, and tells its event to whoever follows what is sent again. One that is over starts the schedule anew, and holds up no new event; one that waits for its next
 * try has it now.
 *
 * @throws BillingError not_found or invalid_request, param `deliveryId`,
 * where it cannot be sent now
 */
export async function resendDelivery(
  ctx: Pick<AppContext, 'db' | 'live' | 'clock' | 'jobs' | 'log'>,
  by: ActingScope,
  id: string,
): Promise<Delivery> {
  const now = ctx.clock.now();
  const { endpointId } = await findDelivery(ctx.db, by, id, 'deliveryId', { select: { endpointId: true } });
  const delivery = await ctx.db.$transaction(async (tx) => {
    await lockLines(tx, 'rearrange', [endpointId]);
    const { endpoint, ...before } = await findDelivery(tx, by, id, 'deliveryId', {
      include: { endpoint: true },
    });
    assertReceives(endpoint, 'deliveryId');
    await recordAudit(ctx, tx, by, { action: 'delivery.replayed', targetId: id });
    if (before.status !== 'PENDING') return sendAgain(tx, before, now);
    assertFree(before, now);
    // Of a claim that has run out, nothing is left: what comes of it late does not touch this.
    return tx.delivery.update({ where: { id }, data: { nextAttemptAt: now, claimedUntil: null } });
  });
  const { merchantId, environment, eventId } = delivery;
  await ctx.live.publish('event.resent', { merchantId, environment, eventId });
  await nudgeRelay(ctx);
  return delivery;
}

async function sendAgain(
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

function assertFree({ nextAttemptAt, claimedUntil }: Delivery, now: Date): void {
  if (nextAttemptAt === null) {
    throw invalidRequest(
      'deliveryId',
      'It waits for an earlier event of its subscription: send that one again.',
    );
  }
  if (claimedUntil && claimedUntil > now) throw invalidRequest('deliveryId', 'It is being sent just now.');
}
