import { vi } from 'vitest';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import type { Deliverer } from '../../src/domain/messages/webhook/delivery/deliverer.ts';
import { dueEndpoints } from '../../src/domain/messages/webhook/delivery/due-endpoints.ts';
import type { TestContext } from '../jobs/context.ts';
import { SOON } from '../support/soon.ts';

/** Relays recorded events and delivers until nothing is due by the current clock. */
export async function settle(ctx: TestContext, deliverer: Deliverer): Promise<void> {
  await relayEvents(ctx);
  await deliverDue(ctx, deliverer);
}

/** Visits every endpoint with a due delivery, as jobs do, until none is due. */
export async function deliverDue(ctx: TestContext, deliverer: Deliverer): Promise<void> {
  await vi.waitFor(async () => {
    const { endpointIds } = await dueEndpoints(ctx);
    await Promise.all(endpointIds.map((id) => deliverer.deliver(id)));
    const now = ctx.clock.now();
    const remaining = await ctx.db.delivery.count({
      where: {
        status: 'PENDING',
        nextAttemptAt: { lte: now },
        endpoint: { status: 'ENABLED', OR: [{ pausedUntil: null }, { pausedUntil: { lte: now } }] },
      },
    });
    if (remaining > 0) throw new Error(`${remaining} deliveries are still due`);
  }, SOON);
}
