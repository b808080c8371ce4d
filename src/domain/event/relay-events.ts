import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db.ts';
import type { Event, WebhookEndpoint } from '../../generated/prisma/client.ts';
import { handDeliveries } from '../webhook/hand-deliveries.ts';

const BATCH = 100;

type RelayContext = Pick<AppContext, 'db' | 'jobs' | 'live' | 'clock' | 'log'>;
type NewEvent = Pick<Event, 'id' | 'merchantId' | 'environment' | 'type' | 'subscriptionId' | 'sequence'>;

/**
 * Turns events that were recorded into deliveries, until none is left. Any number of relays may run.
 *
 * 1. In one database transaction: lock a batch that no other relay has, write one delivery per endpoint that wants it,
 *    mark the events. Dying here leaves everything as it was.
 * 2. Tell live listeners, hand the deliveries to jobs. Dying here loses nothing: the deliveries stand in the database
 *    and their sweep takes them up; listeners read again when they come back.
 *
 * Two relays may commit a subscription's events in the wrong order; a delivery therefore also waits for earlier events
 * that have none yet (`domain/webhook/deliverable.ts`).
 */
export async function relayEvents(ctx: RelayContext): Promise<void> {
  for (;;) {
    const { events, deliveryIds } = await ctx.db.$transaction((tx) => relayBatch(tx, ctx.clock.now()));
    await Promise.all(events.map((event) => publish(ctx, event)));
    await handDeliveries(ctx, deliveryIds);
    if (events.length < BATCH) return;
  }
}

async function relayBatch(tx: DbTransaction, now: Date) {
  const events = await tx.$queryRaw<NewEvent[]>`
    SELECT "id", "merchantId", "environment", "type", "subscriptionId", "sequence" FROM "Event"
    WHERE "relayedAt" IS NULL ORDER BY "id" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
  if (events.length === 0) return { events, deliveryIds: [] };
  const endpoints = await tx.webhookEndpoint.findMany({
    where: {
      status: 'ENABLED',
      merchantId: { in: [...new Set(events.map(({ merchantId }) => merchantId))] },
    },
  });
  const deliveries = await tx.delivery.createManyAndReturn({
    data: events.flatMap((event) =>
      endpoints
        .filter((endpoint) => wants(endpoint, event))
        .map((endpoint) => ({
          eventId: event.id,
          endpointId: endpoint.id,
          subscriptionId: event.subscriptionId,
          sequence: event.sequence,
          nextAttemptAt: now,
          createdAt: now,
        })),
    ),
    select: { id: true },
  });
  await tx.event.updateMany({
    where: { id: { in: events.map(({ id }) => id) } },
    data: { relayedAt: now },
  });
  return { events, deliveryIds: deliveries.map(({ id }) => id) };
}

function wants(endpoint: WebhookEndpoint, event: NewEvent): boolean {
  return (
    endpoint.merchantId === event.merchantId &&
    endpoint.environment === event.environment &&
    (endpoint.eventTypes.length === 0 || endpoint.eventTypes.includes(event.type))
  );
}

async function publish({ live }: RelayContext, event: NewEvent): Promise<void> {
  const { id: eventId, merchantId, environment, subscriptionId } = event;
  await live.publish('event.recorded', { merchantId, environment, eventId });
  if (subscriptionId) await live.publish('subscription.updated', { merchantId, environment, subscriptionId });
}
