import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { readTransaction, signaturesFor } from '../../chain/chain-transaction.ts';
import { release } from './claim-due.ts';
import { settleTransactionTransfers } from './settle-transaction.ts';

/** How far back an unbooked transfer of the running period is looked for. */
const SIGNATURES_LOOKED_AT = 25;
const NEXT_LOOK_MS = 10_000;

/**
 * The chain says that the period's money has arrived and the books do not have it: finds the transfer by the
 * subscription's own transactions and books it. Where it is not found yet, looks again a little later.
 */
export async function reconcilePeriod(
  ctx: AppContext,
  chain: Chain,
  subscription: { readonly id: string; readonly address: string },
): Promise<void> {
  const recent = await signaturesFor(chain, subscription.address as Address, { limit: SIGNATURES_LOOKED_AT });
  for (const { signature, failed } of recent.reverse()) {
    if (failed) continue;
    const transaction = await readTransaction(chain, signature);
    if (transaction) await settleTransactionTransfers(ctx, chain.environment, transaction);
  }
  const { nextAttemptAt, nextPaymentAt } = await ctx.db.subscription.findUniqueOrThrow({
    where: { id: subscription.id },
  });
  const now = ctx.clock.now();
  // Booking it moved the date on; where nothing was found it is still due, and must not be asked about in a loop.
  if (nextPaymentAt > now) return;
  ctx.log.warn(
    { subscription: subscription.address, nextAttemptAt },
    'paid on chain, transfer not found yet',
  );
  await release(ctx, [subscription.id], new Date(now.getTime() + NEXT_LOOK_MS));
}
