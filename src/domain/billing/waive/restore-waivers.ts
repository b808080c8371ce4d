import type { AppContext } from '../../../app.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import { WAIVER_CHANGES } from '../../../jobs/catalog.ts';
import { KEPT_MS, type KeptChange, keptChanges } from '../../../jobs/kept-changes.ts';
import { isRecorded } from '../../kernel/audit-log/is-recorded.ts';
import type { Book, BookedWaiver } from '../book/book.ts';
import { recordUnpaused } from '../book/end-waivers.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { periodIndexOf } from '../schedule/period.ts';
import { applyWaiverChange } from './apply-waiver-change.ts';
import { recordPaused } from './record-paused.ts';

type KeptWaiver = NonNullable<KeptChange['waivers']>[number];

/**
 * Makes the waivers of one subscription again if the database lost a change of them.
 *
 * @param id our id of the subscription
 * @throws as `restoreWaivers`, and errors of the store of the jobs
 */
export async function restoreLostWaivers(ctx: AppContext, id: string): Promise<void> {
  for (const change of await keptChanges(ctx)) {
    if (change.id === id && change.waivers) await restoreWaivers(ctx, change);
  }
}

/**
 * Makes the waivers of a subscription as they were kept, if the database lost the change: missing ones are
 * added, and those that were shortened or ended are so again. The merchant gets the events of a pause again.
 *
 * @returns whether the change was lost
 * @throws BillingError as `applyWaiverChange`
 */
export async function restoreWaivers(ctx: AppContext, change: KeptChange): Promise<boolean> {
  const { id, waivers = [] } = change;
  const action = WAIVER_CHANGES.find((kind) => kind === change.kind);
  if (!action || (await isRecorded(ctx, change))) return false;
  const known = await ctx.db.waiver.findMany({
    where: { id: { in: waivers.map((waiver) => waiver.id) } },
    select: { id: true },
  });
  await applyWaiverChange(ctx, change, id, {
    action,
    rule: (book, now) => {
      const before = book.subscription.waivers;
      const knownIds = new Set([...known, ...before].map((waiver) => waiver.id));
      const changed = before.filter((waiver) => shorten(book, waiver, change, now));
      const added = waivers.filter((waiver) => !waiver.hasEnded && !knownIds.has(waiver.id));
      for (const { hasEnded: _, ...waiver } of added) {
        book.addWaiver({ ...waiver, reason: null, createdAt: now, endedAt: null });
      }
      const isPaused = book.subscription.waivers.some((waiver) => waiver.kind === 'PAUSE');
      if (added.some((waiver) => waiver.kind === 'PAUSE')) recordPaused(book, null, now);
      else if (!isPaused && changed.some((waiver) => waiver.kind === 'PAUSE')) recordUnpaused(book, now);
      const count = added.length + changed.length;
      return count > 0 ? { restoredWaivers: count } : undefined;
    },
  });
  return true;
}

/**
 * Shortens or ends a waiver as it was when the change was kept. Returns whether it changes. If the database does
 * not have all payments that it waived yet, it ends when they are written.
 */
function shorten(book: Book, waiver: BookedWaiver, change: KeptChange, now: Date): boolean {
  const kept = change.waivers?.find(({ id }) => id === waiver.id) ?? endedBefore(book, waiver, change);
  if (!kept) return false;
  const { untilIndex, hasEnded } = kept;
  const { nextPaymentAt } = book.subscription;
  const next = periodIndexOf(scheduleOf(book.subscription), unixSeconds(nextPaymentAt));
  const isOver = hasEnded && (untilIndex === null || next >= untilIndex || untilIndex === waiver.fromIndex);
  if (untilIndex === waiver.untilIndex && !isOver) return false;
  book.changeWaiver(waiver, { untilIndex, ...(isOver && { endedAt: now }) });
  return true;
}

/**
 * A waiver that is not kept, although it was made before the change, had ended more than a day before it. Its
 * last payment was due by then.
 */
function endedBefore(
  { subscription }: Book,
  { fromIndex, untilIndex, createdAt }: BookedWaiver,
  { at }: KeptChange,
): Pick<KeptWaiver, 'untilIndex' | 'hasEnded'> | undefined {
  if (createdAt >= new Date(at)) return undefined;
  const dayBefore = new Date(new Date(at).getTime() - KEPT_MS);
  const due = Number(periodIndexOf(scheduleOf(subscription), unixSeconds(dayBefore)));
  return { untilIndex: Math.max(fromIndex, Math.min(untilIndex ?? due, due)), hasEnded: true };
}
