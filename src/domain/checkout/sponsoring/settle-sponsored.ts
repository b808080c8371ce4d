import type { Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { readRecentBlockHeight } from '../../../chain/rpc/send.ts';
import { fateOf, signatureOutcomes } from '../../../chain/rpc/signature-outcomes.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import { budgetStart } from './sponsor-budget.ts';

/** Maximum transactions per run; the next run continues. */
const MAX_PER_RUN = 256;
/** Fee of two signatures, which a failed transaction costs too. */
const FEE_LAMPORTS = 10_000n;

/**
 * Records the outcome of sponsored transactions: landed, failed, which costs the fee, or expired,
 * because they can no longer land. An expired transaction releases its share of the budget and is
 * deleted after a day.
 */
export async function settleSponsored(ctx: AppContext, environment: Environment): Promise<void> {
  const { sponsoredTransaction } = ctx.db;
  const settledAt = ctx.clock.now();
  await sponsoredTransaction.deleteMany({
    where: { environment, status: 'EXPIRED', createdAt: { lte: budgetStart(settledAt) } },
  });
  const open = await sponsoredTransaction.findMany({
    where: { environment, status: 'RESERVED' },
    orderBy: { createdAt: 'asc' },
    take: MAX_PER_RUN,
  });
  if (open.length === 0) return;
  const chain = await upToDate(ctx, chainOf(ctx, environment));
  const signatures = open.flatMap(({ signature }) => (signature === null ? [] : [signature as Signature]));
  const outcomes = await signatureOutcomes(chain, signatures);
  const height = await readRecentBlockHeight(chain);
  const expiredIds: string[] = [];
  // Without a signature the transaction was never given to a customer.
  const neverSent = { state: 'unseen', blockHeight: height, slot: 0n } as const;
  for (const { id, signature, lastValidBlockHeight } of open) {
    const fate = fateOf(outcomes.get(signature as Signature) ?? neverSent, lastValidBlockHeight);
    const ended = { settledAt, callerHash: null };
    if (fate === 'expired') expiredIds.push(id);
    else if (fate === 'succeeded') {
      await sponsoredTransaction.update({ where: { id }, data: { status: 'LANDED', ...ended } });
    } else if (fate === 'failed') {
      const data = { status: 'FAILED', lamports: FEE_LAMPORTS, ...ended } as const;
      await sponsoredTransaction.update({ where: { id }, data });
    }
  }
  await sponsoredTransaction.updateMany({
    where: { id: { in: expiredIds }, status: 'RESERVED' },
    data: { status: 'EXPIRED', lamports: 0n, wire: null, settledAt },
  });
}
