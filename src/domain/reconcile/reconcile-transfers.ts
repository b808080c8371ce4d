import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import {
  type AuditHooks,
  auditBooks,
  type BooksScope,
  type MerchantAudit,
} from '../books-audit/audit-books.ts';
import { type SeenTransaction, settleTransactions } from '../payment/settle-transactions.ts';

/** A merchant's books after what could be mended was. */
export interface ReconciledMerchant extends MerchantAudit {
  /** Transactions of which something was missing in the books and is there now. */
  readonly repaired: readonly string[];
}

/**
 * Reads every transaction of the plans in scope, books what is missing, and compares: what is certain is repaired, what
 * is left differs for a reason that somebody has to find. Booking what is booked changes nothing, so it may run beside
 * everything else, at any time.
 */
export async function* reconcileTransfers(
  ctx: AppContext,
  scope: BooksScope,
  { onRead }: AuditHooks = {},
): AsyncGenerator<ReconciledMerchant> {
  let repaired: string[] = [];
  const bookAndTell: AuditHooks['onRead'] = async (chain, transactions) => {
    repaired.push(...(await bookMissing(ctx, chain, transactions)));
    await onRead?.(chain, transactions);
  };
  for await (const audit of auditBooks(ctx, scope, { onRead: bookAndTell })) {
    yield { ...audit, repaired };
    repaired = [];
  }
}

/** Answers with the signatures of those that were booked just now. */
export async function bookMissing(
  ctx: AppContext,
  { environment }: Chain,
  transactions: readonly SeenTransaction[],
): Promise<string[]> {
  const withTransfers = transactions.filter(({ transfers }) => transfers.length > 0);
  const before = await bookedTransfers(ctx, environment, withTransfers);
  const unsettled = await settleTransactions(ctx, environment, withTransfers);
  for (const [signature, err] of unsettled) {
    ctx.log.error({ err, environment, signature }, 'a transaction on chain could not be booked');
  }
  const after = await bookedTransfers(ctx, environment, withTransfers);
  return [...after].flatMap(([signature, count]) =>
    count > (before.get(signature) ?? 0) ? [signature] : [],
  );
}

/** How many transfers of each transaction are on a payment. */
async function bookedTransfers(
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
