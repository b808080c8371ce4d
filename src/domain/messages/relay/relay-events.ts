import type { AppContext } from '../../../app.ts';
import { LOCK_NOT_AVAILABLE } from '../../../db/postgres-errors.ts';
import { sqlStateOf } from '../../../db/sql-state.ts';
import { tookTooLong } from '../../../db/took-too-long.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import type { LivePayload } from '../../../live/live.ts';
import { type OutboxPosition, outboxPositionAfter, outboxStart } from '../event/outbox-position.ts';
import { countOutbox, readOutbox } from '../event/read-outbox.ts';
import { allMerchants, lockRelay, type RelayShard } from '../event/relay-shards.ts';
import { type NewEvent, preferIndexes, takeNewEvents } from '../event/take-new-events.ts';
import { writeEventMails } from '../mail/write-event-mails.ts';
import { batchThatFits } from '../webhook/delivery/batch-that-fits.ts';
import { type DeliveryJob, enqueueDeliveries } from '../webhook/delivery/enqueue-deliveries.ts';
import { limitWaits } from '../webhook/delivery/limit-waits.ts';
import { makeDeliveries } from '../webhook/delivery/make-deliveries.ts';

const MAX_BATCH_SIZE = 500;
/**
 * Interval at which a relay scans from the start of the outbox, in case it has left rows behind.
 */
const LOOK_BACK_MS = 600_000;
/** Timeout of that scan, which may read many removed rows that an old transaction keeps. */
const LOOK_BACK_TIMEOUT_MS = 120_000;

type RelayContext = Pick<AppContext, 'config' | 'db' | 'live' | 'clock' | 'jobs' | 'log'>;

/** A process's position in a shard, kept in memory between calls. Each process has its own. */
export interface RelayProgress {
  readonly shard: RelayShard;
  position: OutboxPosition;
  /** When it last scanned from the start, by the process's monotonic clock; null if never. */
  lookedBackAt: number | null;
}

export function newRelayProgress(shard = allMerchants): RelayProgress {
  return { shard, position: outboxStart, lookedBackAt: null };
}

/**
 * Turns the recorded events of a shard into deliveries until the outbox is empty. Any number of
 * relays may run, with any number of shards.
 *
 * 1. In one database transaction it takes a batch of events and writes one delivery for each
 *    endpoint that receives the type, and the mails that the merchant has switched on. A crash here
 *    changes nothing. If the transaction takes too long, the next one has half as many events, so
 *    that one event cannot block the others.
 * 2. It enqueues the deliveries and publishes to live subscribers. A crash here loses nothing: the
 *    scheduler finds the deliveries in the database, and subscribers query again after a reconnect.
 *
 * @param enqueue receives the endpoints with due deliveries
 */
export async function relayEvents(
  ctx: RelayContext,
  progress = newRelayProgress(),
  enqueue = (jobs: readonly DeliveryJob[]) => enqueueDeliveries(ctx, jobs),
): Promise<void> {
  let limit = MAX_BATCH_SIZE;
  for (;;) {
    try {
      await lookBack(ctx, progress);
      const { events, jobs, position, isAll } = await relayBatch(ctx, progress, limit);
      progress.position = position;
      await Promise.all([enqueue(jobs), publish(ctx, events)]);
      if (isAll) return;
    } catch (error) {
      // Another relay holds the lock for a short time. The next round waits for it again.
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) continue;
      if (limit > 1 && tookTooLong(error)) {
        limit = Math.ceil(limit / 2);
        continue;
      }
      // After a failover, committed changes may be lost. Events that were removed may then be back
      // before the position, so the next call scans from the start.
      progress.lookedBackAt = null;
      throw error;
    }
  }
}

/**
 * Moves the position to the first row of the outbox every ten minutes. It does not hold the relay's
 * lock, so it may skip any number of removed rows.
 */
async function lookBack({ db }: RelayContext, progress: RelayProgress): Promise<void> {
  const { lookedBackAt } = progress;
  if (lookedBackAt !== null && performance.now() - lookedBackAt < LOOK_BACK_MS) return;
  try {
    progress.position = await db.$transaction(
      async (tx) => {
        await preferIndexes(tx);
        const { first, snapshot } = await countOutbox(tx, outboxStart, 1);
        return outboxPositionAfter(outboxStart, snapshot, first);
      },
      { timeout: LOOK_BACK_TIMEOUT_MS },
    );
  } catch (error) {
    // The scan only finds rows that were left behind, so its timeout must not stop the relay.
    if (!tookTooLong(error)) throw error;
  }
  progress.lookedBackAt = performance.now();
}

function relayBatch(ctx: RelayContext, { shard, position }: RelayProgress, limit: number) {
  return inTransaction(ctx, async (tx) => {
    await limitWaits(tx);
    await preferIndexes(tx);
    await lockRelay(tx, shard);
    const { rows, seenTo, from, snapshot } = await readOutbox(tx, position, limit, shard);
    const batch = rows.length === 0 ? [] : await batchThatFits(tx, rows);
    const isCut = batch.length < rows.length || rows.length === limit;
    const last = isCut ? batch.at(-1) : seenTo;
    const isAll = last === undefined;
    const next = outboxPositionAfter(from, snapshot, last);
    if (batch.length === 0) return { events: [], jobs: [], position: next, isAll };
    const now = ctx.clock.now();
    const events = await takeNewEvents(tx, now, batch);
    const jobs = await makeDeliveries(tx, events, now);
    await writeEventMails(ctx, tx, events);
    return { events, jobs, position: next, isAll };
  });
}

/**
 * Publishes that new events exist, once per merchant and environment; subscribers then read them.
 * Changes of subscriptions are published by the code that makes them.
 */
async function publish({ live }: Pick<AppContext, 'live'>, events: readonly NewEvent[]): Promise<void> {
  const scopes = new Map<string, LivePayload<'event.recorded'>>();
  for (const { merchantId, environment } of events) {
    scopes.set(`${merchantId}/${environment}`, { merchantId, environment });
  }
  await Promise.all([...scopes.values()].map((scope) => live.publish('event.recorded', scope)));
}
