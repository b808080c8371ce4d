import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Prisma, Receipt } from '../../../generated/prisma/client.ts';
import { customerIdsNamed, MAX_NAMED } from '../../accounts/customer/customers-named.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { ofSubscription } from '../../kernel/input/subscription-named.ts';
import { type TimeRange, timeFilter } from '../../kernel/input/time-filter.ts';
import { validSearch } from '../../kernel/input/valid-text.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, wholeNumber } from '../../kernel/paging/numbered-page.ts';

/** Receipts that were issued in a range of time, and match every field that is set. */
export interface ReceiptFilter extends TimeRange {
  readonly number?: number | undefined;
  /** Address, which names all subscriptions there, or our id of a subscription. */
  readonly subscriptionId?: string | undefined;
  /** The buyer's current email (ignoring case), or the merchant's id of the buyer. */
  readonly customer?: string | undefined;
}

/** The position of a receipt in the list. */
export type ReceiptPosition = Pick<Receipt, 'issuedAt' | 'number'>;

/** The columns of a position. */
export const RECEIPT_POSITION = { issuedAt: true, number: true } as const;

/** The order of the list. */
export const NEWEST_RECEIPTS_FIRST: { issuedAt?: 'desc'; number?: 'desc' }[] = [
  { issuedAt: 'desc' },
  { number: 'desc' },
];

/** The condition for receipts further down the list than a position (`older`), or further up. */
export function receiptsBeyond({ issuedAt, number }: ReceiptPosition, towards: 'older' | 'newer') {
  return towards === 'older'
    ? { issuedAt: { lte: issuedAt }, OR: [{ issuedAt: { lt: issuedAt } }, { number: { lt: number } }] }
    : { issuedAt: { gte: issuedAt }, OR: [{ issuedAt: { gt: issuedAt } }, { number: { gt: number } }] };
}

/**
 * The filter for receipts.
 *
 * @throws BillingError invalid_request, param `subscriptionId`, `customer` or `to`
 */
export async function receiptsWhere(
  db: AppContext['db'],
  scope: Scope,
  { number, subscriptionId, customer, from, to }: ReceiptFilter,
): Promise<Prisma.ReceiptWhereInput> {
  const issuedAt = timeFilter({ from, to }, 'to', 'from');
  const { merchantId, environment } = scope;
  return {
    merchantId,
    environment,
    ...((from || to) && { issuedAt }),
    ...(number !== undefined && { number }),
    ...(subscriptionId !== undefined && { payment: await ofSubscription(db, scope, subscriptionId) }),
    ...(customer !== undefined && { customerId: { in: await buyersNamed(db, scope, customer) } }),
  };
}

async function buyersNamed(db: AppContext['db'], scope: Scope, customer: string): Promise<string[]> {
  validSearch('customer', customer);
  const ids = await customerIdsNamed(db, scope, { email: customer, customerId: customer });
  if (ids) return ids;
  throw invalidRequest(
    'customer',
    `customer matches more than ${MAX_NAMED} customers: filter by subscriptionId instead.`,
  );
}

/** A receipt with the amounts that its payment has received and refunded until now. */
export type ListedReceipt = Prisma.ReceiptGetPayload<{ include: typeof WITH_AMOUNTS }>;

export const WITH_AMOUNTS = {
  payment: { select: { paidAmount: true, refunds: { select: { status: true, amount: true } } } },
} satisfies Prisma.ReceiptInclude;

export interface ReceiptsInput extends ReceiptFilter {
  /** Only receipts further down the list than the one with this number. */
  readonly before?: number | undefined;
  /** 1 to 100; default 20. */
  readonly limit?: number | undefined;
}

/**
 * A page of receipts, newest first.
 *
 * @throws BillingError invalid_request, param `limit`, `before` or as in the filter
 */
export async function listReceipts(
  { db }: Pick<AppContext, 'db'>,
  scope: Scope,
  { before, limit = DEFAULT_LIMIT, ...filter }: ReceiptsInput,
): Promise<{ readonly data: readonly ListedReceipt[]; readonly hasMore: boolean }> {
  const take = wholeNumber('limit', limit, MAX_LIMIT);
  const where = await receiptsWhere(db, scope, filter);
  const position = before === undefined ? undefined : await positionOf(db, scope, before);
  const rows = await db.receipt.findMany({
    where: { AND: [where, position ? receiptsBeyond(position, 'older') : {}] },
    orderBy: NEWEST_RECEIPTS_FIRST,
    take: take + 1,
    include: WITH_AMOUNTS,
  });
  return { data: rows.slice(0, take), hasMore: rows.length > take };
}

async function positionOf(db: AppContext['db'], scope: Scope, number: number): Promise<ReceiptPosition> {
  const { merchantId, environment } = scope;
  const where = { merchantId, environment, number };
  const position = await db.receipt.findFirst({ where, select: RECEIPT_POSITION });
  if (!position) throw invalidRequest('before', 'before must be the number of a receipt.');
  return position;
}
