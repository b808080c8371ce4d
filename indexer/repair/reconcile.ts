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
 * Reads missed transactions, in addition to a healthy stream, and reports payments that differ from
 * their transfers. Begins at the end of the last such search of any leader, or at `start` if there
 * was none. The continuous comparison covers the accounts.
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
