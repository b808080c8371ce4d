import { compareLedger } from '../../src/domain/reconcile/compare-ledger.ts';
import type { Mirror } from '../apply/mirror.ts';
import { loadSearched, saveSearched } from '../stream-position.ts';
import { backfillTransactions } from './backfill.ts';

/**
 * Reads missed transactions, in addition to a healthy stream, and reports payments that differ from
 * their transfers. Begins at the end of the last such search of any leader, or at `start` if there
 * was none. The continuous comparison covers the accounts.
 */
export async function searchMissedTransactions(mirror: Mirror, start: bigint | undefined): Promise<void> {
  const { ctx, environment, position } = mirror;
  if (position === undefined) return;
  const since = (await loadSearched(ctx, environment)) ?? start ?? position;
  await backfillTransactions(mirror, { since, until: position });
  await mirror.waitUntilFinished();
  for (const { paymentId, booked, transferred, signatures } of await compareLedger(ctx, environment, since)) {
    const amounts = { booked: `${booked}`, transferred: `${transferred}` };
    ctx.log.error({ environment, paymentId, ...amounts, signatures }, 'payment differs from its transfers');
  }
  await saveSearched(ctx, environment, position);
}
