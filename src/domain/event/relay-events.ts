import type { AppContext } from '../../app.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { LivePayload } from '../../jobs/live.ts';
import { sqlStateOf } from '../../sql-state.ts';
import { batchThatFits } from '../webhook/delivery/batch-that-fits.ts';
import { boundWaits } from '../webhook/delivery/bound-waits.ts';
import { makeDeliveries } from '../webhook/delivery/make-deliveries.ts';
import { lockRelay, type NewEvent, takeNewEvents } from './take-new-events.ts';

const BATCH = 500;

type RelayContext = Pick<AppContext, 'db' | 'live' | 'clock'>;

/**
 * Turns events that were recorded into deliveries, until none is left. Any number of relays may run.
 *
 * 1. In one database transaction: take a batch of new events, write one delivery per endpoint that wants it. Dying here
 *    leaves everything as it was. Where it takes too long, half as many are tried: nobody's events may stop those of all.
 * 2. Tell live listeners. Dying here loses nothing: the deliveries stand in the database, where the workers find them;
 *    listeners read again when they come back.
 */
export async function relayEvents(ctx: RelayContext): Promise<void> {
  let limit = BATCH;
  for (;;) {
    try {
      const { events, isAll } = await relayBatch(ctx, limit);
      await publish(ctx, events);
      if (isAll) return;
    } catch (error) {
      // Other relays are at it, and none of them can hold the lock for long: it is waited for again.
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) continue;
      if (limit === 1 || !tookTooLong(error)) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
}

function relayBatch({ db, clock }: RelayContext, limit: number) {
  return db.$transaction(async (tx) => {
    await boundWaits(tx);
    await lockRelay(tx);
    const { events: fits, isAll } = await batchThatFits(tx, limit);
    if (fits === 0) return { events: [], isAll };
    const now = clock.now();
    const events = await takeNewEvents(tx, now, fits);
    const ids = events.map(({ id }) => id);
    await makeDeliveries(tx, ids, now);
    return { events, isAll };
  });
}

/** Codes of PostgreSQL: where `statement_timeout` ran out, and `lock_timeout`. */
const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';

/** A statement did, or the transaction as a whole, which Prisma limits. */
function tookTooLong(error: unknown): boolean {
  const isLimit = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2028';
  return isLimit || sqlStateOf(error) === QUERY_CANCELED;
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
