import type { Signature } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { signatureOutcomes } from '../../chain/rpc/send.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { chainOf } from '../access/chain-of.ts';

/** Maximum transactions per run; the next run continues. */
const A_RUN = 256;
/** Fee of two signatures, which a failed transaction costs too. */
const FEE_LAMPORTS = 10_000n;

/**
 * Learns what became of sponsored transactions: landed, failed at the cost of their fee, or unable
 * to land any more. The last ones are deleted, which gives their share of the budget back.
 */
export async function settleSponsored(ctx: AppContext, environment: Environment): Promise<void> {
  const open = await ctx.db.sponsoredTransaction.findMany({
    where: { environment, status: 'RESERVED' },
    orderBy: { createdAt: 'asc' },
    take: A_RUN,
  });
  if (open.length === 0) return;
  const chain = chainOf(ctx, environment);
  const signatures = open.flatMap(({ signature }) => (signature === null ? [] : [signature as Signature]));
  const outcomes = await signatureOutcomes(chain, signatures);
  const height = await chain.rpc.getBlockHeight({ commitment: 'confirmed' }).send();
  const settledAt = ctx.clock.now();
  const gone: string[] = [];
  for (const { id, signature, lastValidBlockHeight } of open) {
    const outcome = signature === null ? undefined : outcomes.get(signature as Signature);
    if (outcome?.state === 'landed') {
      if (outcome.commitment === 'processed') continue;
      const data = outcome.err
        ? { status: 'FAILED' as const, lamports: FEE_LAMPORTS, settledAt }
        : { status: 'LANDED' as const, settledAt };
      await ctx.db.sponsoredTransaction.update({ where: { id }, data });
    } else if ((outcome?.blockHeight ?? height) > lastValidBlockHeight) {
      // Without a signature it was handed out to nobody.
      gone.push(id);
    }
  }
  await ctx.db.sponsoredTransaction.deleteMany({ where: { id: { in: gone }, status: 'RESERVED' } });
}
