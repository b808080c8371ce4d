import type { AppContext } from '../../../app.ts';
import { invalidRequest, notFound } from '../../../errors.ts';
import type { Prisma, Receipt } from '../../../generated/prisma/client.ts';
import { paymentOfReceiptLink } from '../../accounts/customer/receipt-link.ts';
import { merchantPage } from '../../accounts/merchant/merchant-page.ts';
import { MAX_REFUNDS } from '../../catalog/money/max-refunds.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';
import { type ReceiptDocument, receiptDocument } from './receipt-document.ts';
import type { ReceiptLater } from './receipt-texts.ts';

/** The receipt that a link shows, with its merchant and later amounts. */
export interface PublicReceipt {
  readonly paymentId: string;
  readonly companyName: string;
  readonly logoUrl: string | null;
  readonly brandColor: string | null;
  /** Null until the payment is final. */
  readonly document: ReceiptDocument | null;
  readonly later: ReceiptLater;
  /** Our id of its subscription. */
  readonly subscriptionId: string;
  /** Page of the merchant to which the customer goes back; null if none is known. */
  readonly merchantUrl: string | null;
}

/**
 * The receipt of a link. The link gives access, without a key.
 *
 * @throws BillingError not_found, param `token`, also if the payment did not succeed or gets no
 *   receipt
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
          merchant: { select: { companyName: true, logoUrl: true, brandColor: true } },
          refunds: {
            where: { status: 'SUCCEEDED' },
            orderBy: [{ refundedAt: 'asc' }, { id: 'asc' }],
            take: MAX_REFUNDS,
          },
        },
      })
    : null;
  // 0: the payment is final and gets no receipt, because the ledger has no transfer of it.
  if (payment?.status !== 'SUCCEEDED' || payment.receiptNumber === 0) throw notFound('receipt', 'token');
  const document = payment.receipt && documentOf(payment.receipt);
  return {
    paymentId: payment.id,
    ...payment.merchant,
    document,
    later: {
      received: document ? payment.paidAmount - BigInt(document.amount.baseUnits) : 0n,
      refunds: payment.refunds.flatMap(({ amount, refundedAt, signature }) =>
        refundedAt && signature ? [{ amount, refundedAt, signature }] : [],
      ),
    },
    subscriptionId: payment.subscriptionId,
    merchantUrl: await merchantPage({ db }, { ...payment, id: payment.subscriptionId }),
  };
}

/** The document of a stored receipt. */
export function documentOf({ document }: Pick<Receipt, 'document'>): ReceiptDocument {
  return receiptDocument.parse(document);
}

/**
 * A merchant's receipt, by its number or its payment.
 *
 * @throws BillingError not_found, param `number` or `paymentId`; invalid_request, param `number`,
 *   unless exactly one of the two is given
 */
export async function getReceipt(
  { db }: Pick<AppContext, 'db'>,
  { merchantId, environment }: Scope,
  { number, paymentId }: { readonly number?: number | undefined; readonly paymentId?: string | undefined },
  query: { include?: Prisma.ReceiptInclude; select?: Prisma.ReceiptSelect } = {},
): Promise<Receipt> {
  if ((number === undefined) === (paymentId === undefined)) {
    throw invalidRequest('number', 'Name the receipt by its number or by paymentId, and not by both.');
  }
  const isNamed = paymentId === undefined || isId(paymentId);
  const where = { merchantId, environment, ...(paymentId === undefined ? { number } : { paymentId }) };
  const receipt = isNamed ? await db.receipt.findFirst({ ...query, where }) : null;
  if (!receipt) throw notFound('receipt', paymentId === undefined ? 'number' : 'paymentId');
  return receipt;
}
