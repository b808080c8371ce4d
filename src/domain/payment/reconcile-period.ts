import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction, signaturesFor } from '../../chain/chain-transaction.ts';
import { seenTransaction, settleTransactions } from './settle-transactions.ts';

/** How far back an unbooked transfer of the running period is looked for. */
const SIGNATURES_LOOKED_AT = 25;

/**
 * The chain says that the period's money has arrived and the books do not have it: finds the transfer by the
 * subscription's own transactions and books it.
 */
export async function reconcilePeriod(ctx: AppContext, chain: Chain, subscription: Address): Promise<void> {
  const recent = await signaturesFor(chain, subscription, { limit: SIGNATURES_LOOKED_AT });
  for (const { signature, failed } of recent.reverse()) {
    if (failed) continue;
    const transaction = await readTransaction(chain, signature);
    if (!transaction) continue;
    const [failure] = (
      await settleTransactions(ctx, chain.environment, [seenTransaction(transaction)])
    ).values();
    if (failure !== undefined) throw failure;
  }
}
