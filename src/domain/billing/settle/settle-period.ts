import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { inChunks } from '../../../async/in-chunks.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readTransaction, type SignatureInfo, signaturePages } from '../../../chain/rpc/chain-transaction.ts';
import { seenTransaction, settleTransactions } from './settle-transactions.ts';

/** Number of transactions that are read between two checks of the payment. */
const BATCH_SIZE = 25;

/** A payment whose transfer is on chain, but which is not settled. */
export interface CollectedPeriod {
  readonly subscription: { readonly id: string; readonly address: string };
  /** Unix seconds. */
  readonly periodStart: bigint;
}

/**
 * Settles a payment whose transfer is on chain, but which is not settled. Reads the transactions
 * that mention the subscription, in batches from the newest, until the payment is settled or the
 * start of its period is reached. Every transaction is read, because anyone may mention the address
 * in one that has no transfer.
 */
export async function settlePeriod(
  ctx: AppContext,
  chain: Chain,
  { subscription, periodStart }: CollectedPeriod,
): Promise<void> {
  for await (const page of signaturePages(chain, subscription.address as Address)) {
    for (const batch of inChunks(page, BATCH_SIZE)) {
      await settleTransactionsOf(ctx, chain, batch.toReversed());
      const oldest = batch.at(-1)?.at ?? null;
      if (oldest !== null && oldest < periodStart) return;
      const key = { subscriptionId: subscription.id, periodStart };
      const payment = await ctx.db.payment.findUnique({ where: { subscriptionId_periodStart: key } });
      if (payment?.status === 'SUCCEEDED') return;
    }
  }
}

async function settleTransactionsOf(
  ctx: AppContext,
  chain: Chain,
  signatures: readonly SignatureInfo[],
): Promise<void> {
  for (const { signature, failed } of signatures) {
    if (failed) continue;
    const transaction = await readTransaction(chain, signature);
    if (!transaction) continue;
    const [failure] = (
      await settleTransactions(ctx, chain.environment, [seenTransaction(transaction)])
    ).values();
    if (failure !== undefined) throw failure;
  }
}
