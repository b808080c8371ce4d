import type { AppContext } from '../../../app.ts';
import type { KeptChange } from '../../../jobs/kept-changes.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import type { Book } from '../book/book.ts';
import { recordUnpaused } from '../book/end-waivers.ts';
import { changeWaivers } from './change-waivers.ts';
import { recordPaused } from './pause-subscription.ts';

type KeptWaiver = NonNullable<KeptChange['waivers']>[number];

/**
 * Makes the waivers of a subscription as they were kept: those that the database lost are added, and those that
 * were shortened or ended are so again. The merchant gets the events of a pause again.
 *
 * @throws BillingError as `changeWaivers`
 */
export async function restoreWaivers(
  ctx: AppContext,
  scope: ActingScope,
  {
    id,
    kind,
    waivers = [],
  }: Pick<KeptChange, 'id' | 'waivers'> & {
    readonly kind: Parameters<typeof changeWaivers>[3]['action'];
  },
): Promise<void> {
  const known = await ctx.db.waiver.findMany({
    where: { id: { in: waivers.map((waiver) => waiver.id) } },
    select: { id: true },
  });
  const isKnown = ({ id: waiverId }: KeptWaiver) => known.some((waiver) => waiver.id === waiverId);
  await changeWaivers(ctx, scope, id, {
    action: kind,
    rule: (book, now) => {
      const changed = waivers.filter((waiver) => change(book, waiver, now));
      const added = waivers.filter((waiver) => !waiver.hasEnded && !isKnown(waiver));
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
}

/** Shortens or ends a waiver that has not ended in the database. Returns whether it changed. */
function change(book: Book, { id, untilIndex, hasEnded }: KeptWaiver, now: Date): boolean {
  const open = book.subscription.waivers.find((waiver) => waiver.id === id);
  if (!open || (open.untilIndex === untilIndex && !hasEnded)) return false;
  book.changeWaiver(open, { untilIndex, ...(hasEnded && { endedAt: now }) });
  return true;
}
