import { randomInt } from 'node:crypto';
import { mapConcurrently } from '../src/async/map-concurrently.ts';
import { relayShards } from '../src/domain/messages/event/relay-shards.ts';
import { newRelayProgress, relayEvents } from '../src/domain/messages/relay/relay-events.ts';
import type { Deliverer } from '../src/domain/messages/webhook/delivery/deliverer.ts';
import {
  type DeliveryJob,
  enqueueDeliveries,
} from '../src/domain/messages/webhook/delivery/enqueue-deliveries.ts';
import type { JobHandler } from './job-handler.ts';

/** Maximum shards relayed at the same time. Each uses a database connection. */
const MAX_CONCURRENT_SHARDS = 4;

/**
 * `events.relay`: runs when events were recorded, and regularly in case a notification was lost.
 * While our clock is wrong it does nothing, because deliveries would get their times from that
 * clock. A shard that fails does not stop the others.
 */
export function relayEventsJob(deliverer: Deliverer, shards = 1): JobHandler<'events.relay'> {
  const progresses = relayShards(shards, randomInt(shards)).map((shard) => newRelayProgress(shard));
  return async (ctx) => {
    if (await deliverer.clock.isWrong()) return;
    // Endpoints whose deliveries this process is already delivering need no job.
    const enqueue = (jobs: readonly DeliveryJob[]) => enqueueDeliveries(ctx, deliverer.takeOver(jobs));
    const connections = ctx.config.databaseConnections ?? MAX_CONCURRENT_SHARDS * 2;
    const concurrency = Math.max(1, Math.min(MAX_CONCURRENT_SHARDS, Math.floor(connections / 2)));
    const [failed] = (
      await mapConcurrently(progresses, concurrency, async (progress) => {
        try {
          await relayEvents(ctx, progress, enqueue);
          return [];
        } catch (error) {
          return [error];
        }
      })
    ).flat();
    if (failed !== undefined) throw failed;
  };
}
