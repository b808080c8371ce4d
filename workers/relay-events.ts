import { relayEvents } from '../src/domain/event/relay-events.ts';
import type { DeliveryLoop } from '../src/domain/webhook/delivery/delivery-loop.ts';
import type { JobHandler } from '../src/jobs/worker.ts';

/** `events.relay`: every second, and nudged when events were recorded. Their deliveries are made by whoever relayed them first. */
export function relayEventsJob(deliveries: DeliveryLoop): JobHandler<'events.relay'> {
  return async (ctx) => {
    await relayEvents(ctx);
    deliveries.wake();
  };
}
