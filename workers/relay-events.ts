import { relayEvents } from '../src/domain/event/relay-events.ts';
import type { DeliveryLoop } from '../src/domain/webhook/delivery/delivery-loop.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/**
 * `events.relay`: every second, and nudged when events were recorded. Their deliveries are made by whoever relayed them first.
 * While our clock is known to be wrong they wait: they would be due by it, and no sooner.
 */
export function relayEventsJob(deliveries: DeliveryLoop): JobHandler<'events.relay'> {
  return async (ctx) => {
    if (await deliveries.clock.isWrong()) return;
    await relayEvents(ctx);
    deliveries.wake();
  };
}
