import { backfillTransactions } from './backfill.ts';
import type { Mirror } from './mirror.ts';
import { applySnapshot } from './snapshot.ts';

/**
 * Compares the mirror with the whole chain: transactions since `since` (none where it is undefined: nothing was ever
 * ours before), and every account as of `minSlot` or later. In this order, because a subscription that is seen first
 * books what is waiting for it, and a transfer that is seen first waits.
 */
export async function reconcile(
  mirror: Mirror,
  { since, minSlot }: { since: bigint | undefined; minSlot: bigint },
): Promise<void> {
  if (since !== undefined) await backfillTransactions(mirror, since);
  await applySnapshot(mirror, minSlot);
}
