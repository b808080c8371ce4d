import type { AppContext } from '../../app.ts';
import { notFound } from '../../errors.ts';
import type { Prisma, Receipt } from '../../generated/prisma/client.ts';
import type { Scope } from '../access/scope.ts';
import { MOST_REFUNDS } from '../money/most-refunds.ts';
import { type ReceiptDocument, receiptDocument } from './receipt-document.ts';
import { paymentOfReceiptLink } from './receipt-link.ts';
import type { ReceiptLater } from './receipt-texts.ts';

/** What a receipt's link shows. */
export interface PublicReceipt {
  readonly paymentId: string;
  readonly companyName: string;
  readonly logoUrl: string | null;
  /** Null until the payment is final. */
  readonly document: ReceiptDocument | null;
  readonly later: ReceiptLater;
}

/**
 * What the link of a receipt shows. The link is the permission.
 *
 * @throws BillingError not_found, param `token`, also if the payment did not succeed or gets none
 */
export async function getPublicReceipt(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  token: string,
): Promise<PublicReceipt> {
  const id = paymentOfReceiptLink(config, token);
  const payment = id
    ? await db.payment.findUnique({
        where: { id },
        include: {
          receipt: true,
          merchant: { select: { companyName: true, logoUrl: true } },
          refunds: {
            where: { status: 'SUCCEEDED' },
            orderBy: [{ refundedAt: 'asc' }, { id: 'asc' }],
            take: MOST_REFUNDS,
          },
        },
      })
    : null;
  // 0: it is final, and gets no receipt because the ledger has no transfer of it.
  if (payment?.status !== 'SUCCEEDED' || payment.receiptNumber === 0) throw notFound('receipt', 'token');
  const document = payment.receipt && documentOf(payment.receipt);
  return {
    paymentId: payment.id,
    ...payment.merchant,
    document,
    later: {
      received: document ? payment.amount - BigInt(document.amount.baseUnits) : 0n,
      refunds: payment.refunds.flatMap(({ amount, refundedAt, signature }) =>
        refundedAt && signature ? [{ amount, refundedAt, signature }] : [],
      ),
    },
  };
}

/** What a receipt says. */
export function documentOf({ document }: Pick<Receipt, 'document'>): ReceiptDocument {
  return receiptDocument.parse(document);
}

/**
 * The receipt of a merchant with this number.
 *
 * @throws BillingError not_found, param `number`
 */
export async function getReceipt(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  number: number,
  query: { include?: Prisma.ReceiptInclude; select?: Prisma.ReceiptSelect } = {},
): Promise<Receipt> {
  const receipt = await db.receipt.findUnique({
    ...query,
    where: { merchantId_environment_number: { merchantId, environment, number } },
  });
  if (!receipt) throw notFound('receipt', 'number');
  return receipt;
}
