import { asRows, insertRows, updateRows } from '../../../db/bulk.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { LINE_SOURCES } from '../price/line-sources.ts';
import { scheduleOf } from '../schedule/billable.ts';
import { waivedTimes } from '../schedule/waivers.ts';
import type { Book } from './book.ts';

const COLUMNS = [
  ...(['id', 'subscriptionId', 'kind', 'fromIndex', 'untilIndex', 'keepsAccess', 'reason'] as const),
  ...(['actor', 'createdAt', 'endedAt'] as const),
] as const;

/**
 * Writes new and changed waivers, and what follows from them in the row of the subscription. It must run
 * before the states are written: the new bit ends a claim.
 */
export async function writeWaivers(tx: DbTransaction, books: readonly Book[]): Promise<void> {
  const changed = books.filter(
    ({ changes }) => changes.newWaivers.length + changes.changedWaivers.length > 0,
  );
  if (changed.length === 0) return;
  await updateRows(
    tx,
    'Waiver',
    ['untilIndex', 'endedAt'],
    changed.flatMap(({ changes }) => changes.changedWaivers),
  );
  await insertRows(
    tx,
    'Waiver',
    COLUMNS,
    changed.flatMap(({ subscription: { id: subscriptionId }, changes }) =>
      changes.newWaivers.map((waiver) => ({ ...waiver, subscriptionId })),
    ),
  );
  const rows = changed.map(({ subscription }) => ({
    id: subscription.id,
    isWaived: subscription.waivers.length > 0,
    discountUntil: subscription.discount?.until ?? null,
    ...waivedTimes(scheduleOf(subscription), subscription.waivers),
  }));
  await tx.$executeRaw`
    UPDATE "Subscription" SET "pausedFrom" = r."pausedFrom", "pausedUntil" = r."pausedUntil",
      "pauseKeepsAccess" = r."pauseKeepsAccess", "waivedFrom" = r."waivedFrom", "waivedUntil" = r."waivedUntil",
      "discountUntil" = r."discountUntil",
      "lineSources" = CASE WHEN r."isWaived" THEN "lineSources" | ${LINE_SOURCES.WAIVER}::int
        ELSE "lineSources" & ~${LINE_SOURCES.WAIVER}::int END
    FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("id" uuid, "isWaived" boolean, "discountUntil" int, "pausedFrom" timestamptz,
      "pausedUntil" timestamptz, "pauseKeepsAccess" boolean, "waivedFrom" timestamptz, "waivedUntil" timestamptz)
    WHERE "Subscription"."id" = r."id"`;
}
