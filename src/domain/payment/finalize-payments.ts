import type { Signature } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import { signatureOutcomes } from '../../chain/send.ts';
import type { Environment } from '../../generated/prisma/client.ts';

/** Payments, of which up to 19 share a transaction. */
const MOST_AT_ONCE = 5_000;
/** A confirmed transaction is rooted within seconds; one that is gone after this long was rolled back. */
const VANISHED_AFTER_MS = 5 * 60_000;
/** How soon a vanished one is looked for again: it must not stand in the way of those that are young. */
const LOOK_AGAIN_MS = 60 * 60_000;

/**
 * Marks payments whose transactions are rooted and can no longer be rolled back, and tells who is listening. One that a
 * cluster forgot before that has never happened on a healthy cluster: it is shouted about, and left for a person.
 */
export async function finalizePayments(ctx: AppContext, environment: Environment): Promise<void> {
  const chain = ctx.chain[environment];
  if (!chain) return;
  const now = ctx.clock.now();
  const open = await ctx.db.payment.findMany({
    where: {
      ...{ environment, status: 'SUCCEEDED', finalized: false },
      OR: [{ finalityCheckAt: null }, { finalityCheckAt: { lte: now } }],
    },
    orderBy: { paidAt: 'asc' },
    take: MOST_AT_ONCE,
    select: { id: true, merchantId: true, signature: true, paidAt: true },
  });
  if (open.length === 0) return;
  const signatures = new Set(open.map(({ signature }) => signature as Signature));
  const outcomes = await signatureOutcomes(chain, [...signatures]);
  const rooted = open.filter(({ signature }) => {
    const outcome = outcomes.get(signature as Signature);
    return outcome?.state === 'landed' && outcome.commitment === 'finalized';
  });
  const idsOf = (payments: readonly { readonly id: string }[]) => payments.map(({ id }) => id);
  await ctx.db.payment.updateMany({ where: { id: { in: idsOf(rooted) } }, data: { finalized: true } });
  await Promise.all(
    rooted.map(({ id: paymentId, merchantId }) =>
      ctx.live.publish('payment.recorded', { merchantId, environment, paymentId }),
    ),
  );
  const vanished = open.filter(({ signature, paidAt }) => {
    const old = (paidAt?.getTime() ?? 0) < now.getTime() - VANISHED_AFTER_MS;
    return old && outcomes.get(signature as Signature)?.state === 'unseen';
  });
  const finalityCheckAt = new Date(now.getTime() + LOOK_AGAIN_MS);
  await ctx.db.payment.updateMany({ where: { id: { in: idsOf(vanished) } }, data: { finalityCheckAt } });
  for (const { id, signature } of vanished) {
    ctx.log.error({ payment: id, signature, environment }, 'a booked payment is not on chain any more');
  }
}
