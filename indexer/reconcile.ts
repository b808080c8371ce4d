import { compareLedger } from '../src/domain/reconcile/compare-ledger.ts';
import { backfillTransactions } from './backfill.ts';
import type { Mirror } from './mirror.ts';
import { applySnapshot } from './snapshot.ts';
import { loadReconciled, saveReconciled } from './stream-position.ts';

/**
 * Compares the mirror with the chain: transactions since `since` (none where it is undefined: nothing was ever
 * ours before), and every account that can concern the books, as of `minSlot` or later. In this order, because a subscription that is seen first
 * books what is waiting for it, and a transfer that is seen first waits.
 */
export async function reconcile(
  mirror: Mirror,
  { since, minSlot }: { since: bigint | undefined; minSlot: bigint },
): Promise<void> {
  if (since !== undefined) await backfillTransactions(mirror, since);
  await applySnapshot(mirror, minSlot);
}

/**
 * The same on a timer, beside a stream that seems well: from where it was done last, whoever led then, and without that
 * from `start` on. Tells of payments that are not what their transfers are.
 */
export async function reconcileAgain(mirror: Mirror, start: bigint | undefined): Promise<void> {
  const { ctx, environment, position } = mirror;
  if (position === undefined) return;
  const since = (await loadReconciled(ctx, environment)) ?? start ?? position;
  await reconcile(mirror, { since, minSlot: position });
  await mirror.finished();
  for (const { paymentId, booked, transferred, signatures } of await compareLedger(ctx, environment, since)) {
    const amounts = { booked: `${booked}`, transferred: `${transferred}` };
    ctx.log.error(
      { environment, paymentId, ...amounts, signatures },
      'a payment is not what its transfers are',
    );
  }
  await saveReconciled(ctx, environment, position);
}
