import { compareLedger } from '../../src/domain/reconcile/compare-ledger.ts';
import type { Mirror } from '../apply/mirror.ts';
import { loadReconciled, saveReconciled } from '../stream-position.ts';
import { backfillTransactions } from './backfill.ts';
import { applySnapshot } from './snapshot.ts';

/**
 * Reads the updates that may have been missed since `since`: transactions by signature, and the
 * accounts that they name. If those cannot be determined, or `since` is undefined because nothing
 * was mirrored yet, every account that can concern our books is compared at `minSlot` or later.
 * Transactions come first, because a transfer waits for its subscription.
 */
export async function reconcile(
  mirror: Mirror,
  { since, minSlot }: { since: bigint | undefined; minSlot: bigint },
): Promise<void> {
  if (since !== undefined) {
    const { unseen } = await backfillTransactions(mirror, { since, until: minSlot });
    if (unseen === undefined) return;
    const { ctx, environment } = mirror;
    ctx.log.warn({ environment, since: `${since}`, because: unseen }, 'comparing every account');
  }
  await applySnapshot(mirror, minSlot);
}

/**
 * Searches for missed transactions on a timer, in addition to a healthy stream: from the last
 * position of this search, whichever process led, otherwise from `start`. Reports payments that
 * differ from their transfers. The continuous comparison covers accounts.
 */
export async function reconcileAgain(mirror: Mirror, start: bigint | undefined): Promise<void> {
  const { ctx, environment, position } = mirror;
  if (position === undefined) return;
  const since = (await loadReconciled(ctx, environment)) ?? start ?? position;
  await backfillTransactions(mirror, { since, until: position });
  await mirror.waitUntilFinished();
  for (const { paymentId, booked, transferred, signatures } of await compareLedger(ctx, environment, since)) {
    const amounts = { booked: `${booked}`, transferred: `${transferred}` };
    ctx.log.error({ environment, paymentId, ...amounts, signatures }, 'payment differs from its transfers');
  }
  await saveReconciled(ctx, environment, position);
}
