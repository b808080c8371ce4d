import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { settleRefund } from '../../billing/refund/settle-refund.ts';
import { type SeenTransaction, settleTransactions } from '../../billing/settle/settle-transactions.ts';
import { type AuditHooks, auditBooks, type BooksScope, type MerchantAudit } from './audit-books.ts';

/** The audit of a merchant's books after the repair. */
export interface ReconciledMerchant extends MerchantAudit {
  /** Transactions whose missing transfers were settled. */
  readonly repaired: readonly string[];
}

/**
 * Reads every transaction of the plans and refunds in scope, settles missing transfers, and
 * compares. Differences that remain need an operator. Settling a transfer twice changes nothing, so
 * this may run at any time beside other work.
 */
export async function* reconcileTransfers(
  ctx: AppContext,
  scope: BooksScope,
  { onRead }: AuditHooks = {},
): AsyncGenerator<ReconciledMerchant> {
  let repaired: string[] = [];
  const settleMissingPayments: AuditHooks['onRead'] = async (chain, transactions) => {
    for (const signature of await settleMissingTransfers(ctx, chain, transactions)) repaired.push(signature);
    await onRead?.(chain, transactions);
  };
  const settleMissingRefund: AuditHooks['onMissingRefund'] = async (refund, transfer) => {
    const outcome = await settleRefund(ctx, refund, transfer);
    if (outcome !== 'known') repaired.push(transfer.transaction.signature);
    return outcome === 'settled';
  };
  for await (const audit of auditBooks(ctx, scope, {
    onRead: settleMissingPayments,
    onMissingRefund: settleMissingRefund,
  })) {
    yield { ...audit, repaired };
    repaired = [];
  }
}

/** Settles transfers that are not settled yet, and returns the signatures of their transactions. */
async function settleMissingTransfers(
  ctx: AppContext,
  { environment }: Chain,
  transactions: readonly SeenTransaction[],
): Promise<string[]> {
  const withTransfers = transactions.filter(({ transfers }) => transfers.length > 0);
  const before = await countSettledTransfers(ctx, environment, withTransfers);
  const unsettled = await settleTransactions(ctx, environment, withTransfers);
  for (const [signature, err] of unsettled) {
    ctx.log.error({ err, environment, signature }, 'transaction on chain not settled');
  }
  const after = await countSettledTransfers(ctx, environment, withTransfers);
  return [...after].flatMap(([signature, count]) =>
    count > (before.get(signature) ?? 0) ? [signature] : [],
  );
}

/** Counts the transfers of each transaction that belong to a payment. */
async function countSettledTransfers(
  { db }: AppContext,
  environment: Chain['environment'],
  transactions: readonly SeenTransaction[],
): Promise<Map<string, number>> {
  const rows = await db.chainTransfer.groupBy({
    by: ['signature'],
    where: {
      environment,
      signature: { in: transactions.map(({ signature }) => signature) },
      paymentId: { not: null },
    },
    _count: true,
  });
  return new Map(rows.map(({ signature, _count }) => [signature, _count]));
}
