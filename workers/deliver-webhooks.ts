import type { Deliverer } from '../src/domain/messages/webhook/delivery/deliverer.ts';
import {
  enqueueDeliveries,
  HAND_OVER_MS,
  visitOf,
} from '../src/domain/messages/webhook/delivery/enqueue-deliveries.ts';
import { nextAttemptTimes } from '../src/domain/messages/webhook/delivery/next-attempt-times.ts';
import type { JobHandler } from './job-handler.ts';

/**
 * `webhooks.deliver`: delivers the due deliveries of an endpoint, and adds the next job. That is
 * always visit 0: it begins further visits while it has more to deliver than its share.
 */
export function deliverWebhooksJob(deliverer: Deliverer): JobHandler<'webhooks.deliver'> {
  return async (ctx, { endpointId }, job) => {
    const { againMs, isWithoutCapacity } = await deliverer.deliver(endpointId, visitOf(job?.deduplicationId));
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
