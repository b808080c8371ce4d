import { isSignature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { invalidRequest } from '../../../errors.ts';
import type { FailureCode, PaymentStatus, Prisma } from '../../../generated/prisma/client.ts';
import { ofCustomersNamed } from '../../accounts/customer/customers-named.ts';
import { planFilter } from '../../catalog/plan/plan-filter.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { ofSubscription } from '../../kernel/input/subscription-named.ts';
import { createdIn, type TimeRange } from '../../kernel/input/time-filter.ts';
import { validSearch } from '../../kernel/input/valid-text.ts';

export interface PaymentFilter extends TimeRange {
  readonly status?: PaymentStatus | undefined;
  /** The merchant's own id of the plan. */
  readonly planId?: string | undefined;
  /** Address, which names all subscriptions there, or our id of a subscription. */
  readonly subscriptionId?: string | undefined;
  /** The customer's email (ignoring case), or the merchant's id of the customer. */
  readonly customer?: string | undefined;
  /** Signature of a transaction that collected the payment or attempted to. */
  readonly signature?: string | undefined;
  /** The last failed attempt failed for this reason. */
  readonly failureCode?: FailureCode | undefined;
}

/** Up to this number of a customer's subscriptions the filter lists their ids. */
const MAX_LISTED_IDS = 1_000;

/**
 * The filter for payments.
 *
 * @throws BillingError invalid_request, param `planId`, `subscriptionId`, `customer`, `signature`
 *   or `to`
 */
export async function paymentsWhere(
  db: AppContext['db'],
  scope: Scope,
  { status, planId, subscriptionId, customer, signature, failureCode, from, to }: PaymentFilter,
): Promise<Prisma.PaymentWhereInput> {
  const range = createdIn({ from, to });
  const { merchantId, environment } = scope;
  const all: Prisma.PaymentWhereInput[] = [
    // A payment without success has no number: the condition lets its partial index be used.
    status === undefined || status === 'SUCCEEDED' ? {} : { number: null },
    planId === undefined ? {} : await planFilter(db, scope, planId),
    subscriptionId === undefined ? {} : await ofSubscription(db, scope, subscriptionId),
    customer === undefined ? {} : await customerFilter(db, scope, customer),
    signature === undefined ? {} : await signatureFilter(db, scope, signature),
  ];
  return {
    merchantId,
    environment,
    ...range,
    AND: all,
    ...(status && { status }),
    ...(failureCode && { failureCode }),
  };
}

// The subscriptions are looked up first, so that the payments are found by an indexed column.
async function customerFilter(
  db: AppContext['db'],
  scope: Scope,
  customer: string,
): Promise<Prisma.PaymentWhereInput> {
  validSearch('customer', customer);
  const subscription = {
    merchantId: scope.merchantId,
    environment: scope.environment,
    ...(await ofCustomersNamed(db, scope, { email: customer, customerId: customer })),
  };
  const select = { id: true } as const;
  const found = await db.subscription.findMany({ where: subscription, select, take: MAX_LISTED_IDS + 1 });
  if (found.length > MAX_LISTED_IDS) return { subscription };
  return { subscriptionId: { in: found.map(({ id }) => id) } };
}

/**
 * The payments that a transaction collects: by its transfers that are in the ledger, and by its
 * attempts, also those that failed or are in flight.
 */
async function signatureFilter(
  db: AppContext['db'],
  { environment }: Scope,
  signature: string,
): Promise<Prisma.PaymentWhereInput> {
  if (!isSignature(signature)) {
    throw invalidRequest('signature', 'signature must be a transaction signature: 64 bytes in base58.');
  }
  const [transfers, transaction] = await Promise.all([
    db.chainTransfer.findMany({ where: { environment, signature }, select: { paymentId: true } }),
    db.transferTransaction.findUnique({
      where: { signature },
      select: { attempts: { select: { paymentId: true } } },
    }),
  ]);
  const ids = [...transfers, ...(transaction?.attempts ?? [])].flatMap(({ paymentId }) => paymentId ?? []);
  return { id: { in: [...new Set(ids)] } };
}
