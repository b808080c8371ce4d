import type { Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import {
  isFinalFailure,
  isFinalSuccess,
  type SignatureOutcome,
  signatureOutcomes,
} from '../../../chain/rpc/signature-outcomes.ts';
import { chainWasRead } from '../../../db/timeline.ts';
import type { Environment, Payment } from '../../../generated/prisma/client.ts';
import { countPaymentsReversed } from '../../../observability/metrics/counters.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { issueReceipts } from '../receipt/issue-receipts.ts';
import type { VanishedPayment } from './provably-gone.ts';
import { reversePayments } from './reverse-payments.ts';

/** Maximum payments per call. Up to 19 share a transaction. */
const MAX_PER_CALL = 5_000;
/**
 * A confirmed transaction is finalized within seconds; one that is unseen after this time was
 * rolled back.
 */
const VANISHED_AFTER_MS = 5 * 60_000;
/** Delay before an unseen transaction is checked again, so that it does not delay newer ones. */
const CHECK_INTERVAL_MS = 60_000;
/** Delay before a payment that a person has to check is checked again. */
const UNPROVABLE_CHECK_INTERVAL_MS = 60 * 60_000;

type OpenPayment = Pick<
  Payment,
  'id' | 'merchantId' | 'subscriptionId' | 'periodStart' | 'ordinal' | 'signature' | 'paidAt'
>;

/**
 * Marks payments whose transactions are finalized, gives them receipts, and publishes them. A
 * payment whose transaction was rolled back, or is finalized with an error, is reversed if that is
 * safe; otherwise an error is logged for a person to check. Does nothing while the chain has not been
 * read since the database came back. Returns whether more payments may be final.
 */
export async function finalizePayments(
  ctx: AppContext,
  environment: Environment,
  max = MAX_PER_CALL,
): Promise<boolean> {
  const chain = ctx.chain[environment];
  if (!chain || !(await chainWasRead(ctx.db, environment))) return false;
  const now = ctx.clock.now();
  // The status and flag are literals: with parameters the partial index "Payment_not_final" is not
  // used.
  const open = await ctx.db.$queryRaw<OpenPayment[]>`
    SELECT "id", "merchantId", "subscriptionId", "periodStart", "ordinal", "signature", "paidAt" FROM "Payment"
    WHERE "environment" = ${environment}::"Environment" AND "status" = 'SUCCEEDED' AND NOT "finalized"
      AND ("finalityCheckAt" IS NULL OR "finalityCheckAt" <= ${now})
    ORDER BY "paidAt" LIMIT ${max}`;
  if (open.length === 0) return false;
  const signatures = new Set(open.map(({ signature }) => signature as Signature));
  const outcomes = await signatureOutcomes(await upToDate(ctx, chain), [...signatures]);
  const finalizedPayments = open.filter(({ signature }) =>
    isFinalSuccess(outcomes.get(signature as Signature)),
  );
  const idsOf = (payments: readonly { readonly id: string }[]) => payments.map(({ id }) => id);
  const done = await issueReceipts(ctx, environment, idsOf(finalizedPayments));
  await Promise.all(
    finalizedPayments.map(({ id: paymentId, merchantId }) =>
      ctx.live.publish('payment.recorded', { merchantId, environment, paymentId }),
    ),
  );
  await reverseVanished(ctx, chain, vanishedOf(open, outcomes, now), now);
  return open.length === max && done > 0;
}

/**
 * The payments whose transactions are finalized with an error, and those that are old enough to be
 * finalized but whose transactions the node has not seen.
 */
function vanishedOf(
  open: readonly OpenPayment[],
  outcomes: ReadonlyMap<Signature, SignatureOutcome>,
  now: Date,
): VanishedPayment[] {
  return open.flatMap(({ id, subscriptionId, periodStart, ordinal, signature, paidAt }) => {
    const outcome = outcomes.get(signature as Signature);
    if (signature === null || !outcome) return [];
    const isOld = (paidAt?.getTime() ?? 0) < now.getTime() - VANISHED_AFTER_MS;
    const hasVanished = isFinalFailure(outcome) || (outcome.state === 'unseen' && isOld);
    return hasVanished ? [{ id, subscriptionId, periodStart, ordinal, signature, outcome }] : [];
  });
}

async function reverseVanished(
  ctx: AppContext,
  chain: Chain,
  vanished: readonly VanishedPayment[],
  now: Date,
): Promise<void> {
  if (vanished.length === 0) return;
  const { environment } = chain;
  const postponeCheck = async (payments: readonly VanishedPayment[], afterMs: number) => {
    const finalityCheckAt = new Date(now.getTime() + afterMs);
    const ids = payments.map(({ id }) => id);
    await ctx.db.payment.updateMany({ where: { id: { in: ids } }, data: { finalityCheckAt } });
  };
  // Written first, so that an error below does not delay other payments.
  await postponeCheck(vanished, CHECK_INTERVAL_MS);
  const reversals = await reversePayments(ctx, chain, vanished);
  for (const { id, signature, outcome } of vanished) {
    if (reversals.get(id) !== 'reversed') continue;
    const error = outcome.state === 'landed' ? outcome.err : undefined;
    ctx.log.error(
      { payment: id, signature, environment, error },
      'payment rolled back by the cluster: reversed',
    );
  }
  const unprovable = vanished.filter(({ id }) => reversals.get(id) === 'left');
  await postponeCheck(unprovable, UNPROVABLE_CHECK_INTERVAL_MS);
  countPaymentsReversed(environment, 'left', unprovable.length);
  for (const { id, signature } of unprovable) {
    ctx.log.error({ payment: id, signature, environment }, 'payment no longer on chain: check it by hand');
  }
}
