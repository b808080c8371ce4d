import type { AppContext } from '../../app.ts';
import type { LivePayload } from '../../jobs/live.ts';
import { makeDeliveries } from '../webhook/delivery/make-deliveries.ts';
import { type NewEvent, takeNewEvents } from './take-new-events.ts';

const BATCH = 500;

/**
 * Turns events that were recorded into deliveries, until none is left. Any number of relays may run.
 *
 * 1. In one database transaction: take a batch of new events, write one delivery per endpoint that wants it. Dying here
 *    leaves everything as it was.
 * 2. Tell live listeners. Dying here loses nothing: the deliveries stand in the database, where the workers find them;
 *    listeners read again when they come back.
 */
export async function relayEvents(ctx: Pick<AppContext, 'db' | 'live' | 'clock'>): Promise<void> {
  for (;;) {
    const events = await ctx.db.$transaction(async (tx) => {
      const now = ctx.clock.now();
      const taken = await takeNewEvents(tx, now, BATCH);
      if (taken.length > 0)
        await makeDeliveries(
          tx,
          taken.map(({ id }) => id),
          now,
        );
      return taken;
    });
    await publish(ctx, events);
    if (events.length < BATCH) return;
  }
}

/**
 * Only where there is something new, once for all of it: whoever listens reads it. That a subscription changed was told by
 * whoever changed it.
 */
async function publish({ live }: Pick<AppContext, 'live'>, events: readonly NewEvent[]): Promise<void> {
  const streams = new Map<string, LivePayload<'event.recorded'>>();
  for (const { merchantId, environment } of events) {
    streams.set(`${merchantId}/${environment}`, { merchantId, environment });
  }
  await Promise.all([...streams.values()].map((stream) => live.publish('event.recorded', stream)));
}
