import type { AppContext } from '../../src/app.ts';
import { compareLedger } from '../../src/domain/maintenance/books-check/compare-ledger.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import type { Mirror } from '../apply/mirror.ts';
import { Schedule } from '../schedule.ts';
import { loadSearchedSlot, saveSearchedSlot } from '../stream-position.ts';
import { backfillTransactions, SLOT_MS } from './backfill.ts';

/**
 * The schedule of the searches of a new leader. The first one is due when the last one of any
 * leader was an interval ago, so that frequent changes of the leader do not postpone it.
 *
 * @param position the stored position; undefined if nothing was ever mirrored
 */
export async function scheduleSearches(
  ctx: Pick<AppContext, 'db'>,
  environment: Environment,
  position: bigint | undefined,
  everyMs: number,
): Promise<Schedule> {
  if (position === undefined) return new Schedule(everyMs, { firstInMs: everyMs });
  const searched = await loadSearchedSlot(ctx, environment);
  const agoMs = searched === undefined ? everyMs : Number(position - searched) * SLOT_MS;
  return new Schedule(everyMs, { firstInMs: Math.max(0, everyMs - agoMs) });
}

/**
 * Reads missed transactions, in addition to a healthy stream, and reports payments that differ from
 * their transfers. Begins at the end of the last such search of any leader, or at `start` if there
 * was none. The continuous comparison covers the accounts.
 */
export async function searchMissedTransactions(mirror: Mirror, start: bigint | undefined): Promise<void> {
  const { ctx, environment, position } = mirror;
  if (position === undefined) return;
  const since = (await loadSearchedSlot(ctx, environment)) ?? start ?? position;
  await backfillTransactions(mirror, { since, until: position });
  await mirror.waitUntilFinished();
  for await (const { slot, differences } of compareLedger(ctx, environment, { since, until: position })) {
    for (const { paymentId, booked, transferred, signatures } of differences) {
      const amounts = { booked: `${booked}`, transferred: `${transferred}` };
      ctx.log.error({ environment, paymentId, ...amounts, signatures }, 'payment differs from its transfers');
    }
    // After a failure the next search continues here.
    await saveSearchedSlot(ctx, environment, slot);
  }
}
