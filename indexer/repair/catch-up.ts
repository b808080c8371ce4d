import type { Mirror } from '../apply/mirror.ts';
import { backfillTransactions } from './backfill.ts';
import { applySnapshot } from './snapshot.ts';

/**
 * Transactions of strangers that are read one by one for each second of a gap. A new leader reads a
 * minute again, so a flat maximum would be exceeded by each change of the leader on a busy program.
 * A node answers several times as many reads as there are then to do.
 */
const READ_PER_SECOND = 50;

/**
 * Reads the updates that may have been missed since `since`: transactions by signature, and the
 * accounts that they name. If those cannot be determined, or `since` is undefined because nothing
 * was mirrored yet, every account that can concern our books is compared at `minSlot` or later.
 * Transactions come first, because a transfer waits for its subscription.
 */
export async function catchUp(
  mirror: Mirror,
  { since, minSlot }: { since: bigint | undefined; minSlot: bigint },
): Promise<void> {
  if (since !== undefined) {
    const { unseen } = await backfillTransactions(mirror, {
      since,
      until: minSlot,
      readPerSecond: READ_PER_SECOND,
    });
    if (unseen === undefined) return;
    const { ctx, environment } = mirror;
    ctx.log.warn({ environment, since: `${since}`, because: unseen }, 'comparing every account');
  }
  await applySnapshot(mirror, minSlot);
}
