import type { Address, Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { keepNewest } from '../../../async/keep-newest.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { listSignatures, readTransaction, type SignatureInfo } from '../../../chain/rpc/chain-transaction.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { seenTransaction, settleTransactions } from './settle-transactions.ts';

/** Maximum transactions that one call reads. */
export const TRANSACTIONS_PER_CALL = 200;
const MAX_CONCURRENT_READS = 8;
const MAX_SEARCHES = 1_000;

/** A payment whose transfer is on chain, but which is not settled. */
export interface CollectedPeriod {
  readonly subscription: { readonly id: string; readonly address: string };
  /** Unix seconds. */
  readonly periodStart: bigint;
  readonly ordinal: number;
}

/** The last transaction that an unfinished search has read, by subscription and period. */
const unfinished = new Map<string, Signature>();

/**
 * Searches for the transfer of a payment that is on chain but not settled, and settles it. Reads
 * the transactions that mention the subscription, from the newest to the start of the period.
 * Anyone may mention the address in transactions that have no transfer, so one call reads a limited
 * number of them. The next call of this process continues after those; a search without a result
 * starts again.
 *
 * @throws NodeBehind
 */
export async function settlePeriod(
  ctx: AppContext,
  chain: Chain,
  { subscription, periodStart, ordinal }: CollectedPeriod,
): Promise<void> {
  const search = `${subscription.id} ${periodStart}`;
  const before = unfinished.get(search);
  unfinished.delete(search);
  const current = await upToDate(ctx, chain, FEW_ATTEMPTS);
  const address = subscription.address as Address;
  const page = await listSignatures(current, address, { before, limit: TRANSACTIONS_PER_CALL });
  const ofPeriod = page.filter(({ at }) => at === null || at >= periodStart);
  await settleTransactionsOf(ctx, chain, ofPeriod.toReversed());
  const last = page.at(-1);
  if (!last || page.length < TRANSACTIONS_PER_CALL || ofPeriod.length < page.length) return;
  const key = { subscriptionId: subscription.id, periodStart, ordinal };
  const payment = await ctx.db.payment.findUnique({ where: { subscriptionId_periodStart_ordinal: key } });
  if (payment?.status === 'SUCCEEDED') return;
  keepNewest(unfinished, search, last.signature, MAX_SEARCHES);
}

async function settleTransactionsOf(
  ctx: AppContext,
  chain: Chain,
  signatures: readonly SignatureInfo[],
): Promise<void> {
  const succeeded = signatures.filter(({ failed }) => !failed);
  const transactions = await mapConcurrently(succeeded, MAX_CONCURRENT_READS, ({ signature }) =>
    readTransaction(chain, signature),
  );
  const seen = transactions.filter((transaction) => transaction !== undefined).map(seenTransaction);
  const [failure] = (await settleTransactions(ctx, chain.environment, seen)).values();
  if (failure !== undefined) throw failure;
}
