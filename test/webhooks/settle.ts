import { vi } from 'vitest';
import { relayEvents } from '../../src/domain/event/relay-events.ts';
import type { DeliveryLoop } from '../../src/domain/webhook/delivery/delivery-loop.ts';
import type { TestContext } from '../jobs/context.ts';

/** Relays what was recorded and waits until nothing is left that can be sent by the clock as it stands. */
export async function settle(ctx: TestContext, loop: DeliveryLoop): Promise<void> {
  await relayEvents(ctx);
  loop.wake();
  await vi.waitFor(
    async () => {
      const now = ctx.clock.now();
      const left = await ctx.db.delivery.count({
        where: {
          status: 'PENDING',
          nextAttemptAt: { lte: now },
          endpoint: { status: 'ENABLED', OR: [{ pausedUntil: null }, { pausedUntil: { lte: now } }] },
        },
      });
      if (left > 0) throw new Error(`${left} deliveries are still to be sent`);
    },
    { timeout: 8_000, interval: 10 },
  );
}
