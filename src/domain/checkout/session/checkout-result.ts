import type { AppContext } from '../../../app.ts';
import type { Customer, Plan, Subscription, SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { type NextPayment, nextPaymentOf } from '../../billing/read/next-payment.ts';

/** The first payment of a checkout is usually collected within this time. */
const COLLECTED_WITHIN_MS = 2 * 60_000;

/**
 * The result is shown for this time after a checkout. Its URL stays in the logs of the merchant, who
 * gets it with `successUrl`; the portal shows the customer everything after a sign-in.
 */
const SHOWN_MS = 24 * 3_600_000;

/** What a completed checkout has led to. */
export interface CheckoutResult {
  /** Our id of the subscription. */
  readonly subscriptionId: string;
  /**
   * The payment for the period in which it was completed, or the first one after; null before it, and
   * a day after the checkout.
   */
  readonly payment: { readonly id: string; readonly amount: bigint; readonly paidAt: Date } | null;
  /** Null a day after the checkout, and if the subscription has had another customer since. */
  readonly now: SubscriptionNow | null;
}

/** The current state of a subscription. */
export interface SubscriptionNow extends NextPayment {
  readonly status: SubscriptionStatus;
  /** Whether a payment is due and not collected yet. */
  readonly isDue: boolean;
  /** Whether that is the first payment since the checkout, which is collected in a moment. */
  readonly isCollectedSoon: boolean;
  /** Whether nothing was ever collected. */
  readonly isUnpaid: boolean;
}

/**
 * What a completed checkout has led to; undefined if it is not completed. Of the payments it has only
 * the first one: anyone with the id of the session can read it, and later payments concern only the
 * customer, who sees them in the portal.
 */
export async function getCheckoutResult(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  sessionId: string,
): Promise<CheckoutResult | undefined> {
  const session = await db.checkoutSession.findUnique({
    where: { id: sessionId },
    include: { subscription: { include: { customer: true, plan: true } } },
  });
  if (!session?.subscription || !session.completedAt) return undefined;
  const { subscription, completedAt, customerEmail } = session;
  if (clock.now().getTime() > completedAt.getTime() + SHOWN_MS)
    return { subscriptionId: subscription.id, payment: null, now: null };
  const isSameCustomer = subscription.customer.email === customerEmail;
  return {
    subscriptionId: subscription.id,
    payment: await paymentSince(db, subscription, completedAt, customerEmail),
    now: isSameCustomer ? stateAt(subscription, completedAt, clock.now()) : null,
  };
}

function stateAt(
  subscription: Subscription & { readonly plan: Plan },
  completedAt: Date,
  now: Date,
): SubscriptionNow {
  const { status, paymentCount } = subscription;
  const next = nextPaymentOf(subscription);
  const isDue = next.nextPaymentAt !== null && next.nextPaymentAt <= now;
  const isRecent = now.getTime() < completedAt.getTime() + COLLECTED_WITHIN_MS;
  return {
    ...next,
    status,
    isDue,
    isCollectedSoon: isDue && isRecent && status === 'ACTIVE',
    isUnpaid: paymentCount === 0,
  };
}

/** The payment for the period at a time, or the first one after; null if it names another customer. */
async function paymentSince(
  db: AppContext['db'],
  { id, plan, customer }: Subscription & { readonly plan: Plan; readonly customer: Customer },
  at: Date,
  email: string,
): Promise<CheckoutResult['payment']> {
  const payment = await db.payment.findFirst({
    where: {
      subscriptionId: id,
      status: 'SUCCEEDED',
      dueAt: { gt: new Date(at.getTime() - plan.intervalSeconds * 1_000) },
    },
    orderBy: { dueAt: 'asc' },
    include: { receipt: { select: { customerId: true } } },
  });
  if (!payment?.paidAt) return null;
  const { receipt, paidAmount: amount, paidAt } = payment;
  const buyer =
    receipt === null || receipt.customerId === customer.id
      ? customer
      : await db.customer.findUnique({ where: { id: receipt.customerId } });
  return buyer?.email === email ? { id: payment.id, amount, paidAt } : null;
}
