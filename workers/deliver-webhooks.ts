import type { Deliverer } from '../src/domain/messages/webhook/delivery/deliverer.ts';
import { enqueueDeliveries } from '../src/domain/messages/webhook/delivery/enqueue-deliveries.ts';
import { nextAttemptTimes } from '../src/domain/messages/webhook/delivery/next-attempt-times.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * Delay that lets an idle worker take an endpoint before the one that has just finished with it.
 */
const HAND_OVER_MS = 5;

/** `webhooks.deliver`: delivers the due deliveries of an endpoint, and adds its next job. */
export function deliverWebhooksJob(deliverer: Deliverer): JobHandler<'webhooks.deliver'> {
  return async (ctx, { endpointId }) => {
    const { againMs, isWithoutCapacity } = await deliverer.deliver(endpointId);
    if (againMs === null) return;
    await enqueueDeliveries(ctx, [
      { endpointId, delayMs: Math.max(againMs, HAND_OVER_MS), isWithoutCapacity },
    ]);
    if (againMs <= HAND_OVER_MS || isWithoutCapacity) return;
    // The plan above may have replaced an earlier one, for a delivery that was created while this
    // job ran.
    const next = (await nextAttemptTimes(ctx, [endpointId])).get(endpointId);
    const nextMs = next ? next.getTime() - ctx.clock.now().getTime() : againMs;
    if (nextMs < againMs) await enqueueDeliveries(ctx, [{ endpointId, delayMs: Math.max(nextMs, 0) }]);
  };
}
