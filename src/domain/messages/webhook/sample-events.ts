import type { Customer, Plan, Subscription } from '../../../generated/prisma/client.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import type { EventData, EventType } from '../event/types.ts';

/** Event types with a sample, for testing an endpoint. */
export type SampleType = Exclude<EventType, `${'discount' | 'endpoint' | 'service'}.${string}`>;

const customer = {
  email: 'customer@example.com',
  customerId: null,
  walletAddress: '11111111111111111111111111111111',
};
const EARLIER = '2026-01-01T00:00:00.000Z';
const LATER = '2030-01-01T00:00:00.000Z';
const subscription = { subscriptionId: 'sample', startedAt: EARLIER, customer, metadata: { sample: true } };
const payment = {
  ...subscription,
  planId: 'sample',
  paymentId: '00000000-0000-7000-8000-000000000000',
};

/**
 * Sample events for testing an endpoint. They have the shape of real events and no real customer.
 */
export const sampleEvents: { readonly [T in SampleType]: EventData[T] } = {
  'subscription.created': {
    ...subscription,
    sessionId: 'cs_sample',
    plan: { planId: 'sample', planName: 'Sample plan', amount: '5000000', interval: '2592000' },
  },
  'subscription.payment_succeeded': {
    ...payment,
    signature: '1111111111111111111111111111111111111111111111111111111111111111',
    userWallet: customer.walletAddress,
    amount: '5000000',
    kind: 'PERIOD',
    lines: [{ kind: 'FLAT', text: 'Gold', amount: '5000000' }],
    paidAmount: '5000000',
    paymentNumber: 1,
    nextPaymentDate: LATER,
  },
  'subscription.payment_failed': {
    ...payment,
    failureCode: 'INSUFFICIENT_FUNDS',
    nextAttemptDate: LATER,
    noRetryReason: null,
    amountRequired: '5000000',
    balanceAvailable: '0',
    failureCount: 1,
  },
  'subscription.payment_missed': {
    ...payment,
    amount: '5000000',
    dueDate: EARLIER,
    planProblem: null,
  },
  'subscription.payment_waived': {
    ...payment,
    amount: '5000000',
    dueDate: EARLIER,
    waivedReason: 'MERCHANT',
    reason: 'An outage of our service',
  },
  'subscription.payment_reversed': {
    ...payment,
    signature: '1111111111111111111111111111111111111111111111111111111111111111',
    amount: '5000000',
    paymentNumber: 1,
    dueDate: EARLIER,
  },
  'subscription.cancellation_scheduled': {
    ...subscription,
    cancelsAt: LATER,
    cancellationReason: 'too_expensive',
    cancellationComment: null,
  },
  'subscription.cancellation_undone': { ...subscription, nextPaymentDate: LATER },
  'subscription.cancelled': {
    ...subscription,
    accessUntil: LATER,
    cancellationReason: 'too_expensive',
    cancellationComment: null,
  },
  'subscription.expired': { ...subscription, failureCount: 3 },
  'subscription.resumed': { ...subscription, nextPaymentDate: LATER },
  'subscription.paused': {
    ...subscription,
    pausedFrom: EARLIER,
    pausedUntil: LATER,
    keepsAccess: false,
    reason: 'Holidays',
  },
  'subscription.unpaused': { ...subscription, nextPaymentDate: LATER },
  'payment.refunded': {
    ...payment,
    refundId: '00000000-0000-7000-8000-000000000000',
    signature: '1111111111111111111111111111111111111111111111111111111111111111',
    amount: '5000000',
    refundedAmount: '5000000',
    paymentAmount: '5000000',
    reason: 'Requested by the customer',
  },
  'payment.refunded_again': {
    ...payment,
    refundId: '00000000-0000-7000-8000-000000000000',
    signature: '1111111111111111111111111111111111111111111111111111111111111111',
    amount: '5000000',
    excessAmount: '5000000',
    paymentAmount: '5000000',
  },
  'checkout.subscribed_again': {
    ...subscription,
    sessionId: 'cs_sample',
    planId: 'sample',
    duplicateSubscriptionId: '11111111111111111111111111111111',
    duplicateWalletAddress: '11111111111111111111111111111111',
    signature: '1111111111111111111111111111111111111111111111111111111111111111',
  },
  'customer.state_changed': {
    customerId: 'sample',
    version: 2,
    hasAccess: true,
    features: { export: true, seats: 5 },
    subscriptions: [
      {
        subscriptionId: 'sample',
        planId: 'sample',
        status: 'CANCELLED',
        hasAccess: true,
        until: LATER,
        reason: 'CANCELLED',
        startedAt: EARLIER,
      },
    ],
    validUntil: LATER,
    previous: { hasAccess: true, features: { export: true, seats: 5 } },
  },
};

export const sampleTypes = Object.keys(sampleEvents) as readonly SampleType[];

export function isSampleType(type: string): type is SampleType {
  return sampleTypes.some((sampleType) => sampleType === type);
}

/** The sample for an existing subscription: its ids are real, and its other data is made up. */
export function sampleAbout(
  type: SampleType,
  subscription: Subscription & { readonly customer: Customer; readonly plan: Plan },
): EventData[SampleType] {
  const { address, walletAddress, customer, plan } = subscription;
  const { email, customerId } = customer;
  if (type === 'customer.state_changed') {
    return { ...sampleEvents[type], customerId: customerId ?? customer.id };
  }
  const sample = sampleEvents[type];
  const amount = String(plan.amount);
  return {
    ...sample,
    subscriptionId: address,
    customer: { email, customerId, walletAddress },
    ...('plan' in sample && {
      plan: {
        planId: plan.planId,
        planName: plan.name,
        amount,
        interval: String(plan.intervalSeconds),
      },
    }),
    ...('planId' in sample && { planId: plan.planId }),
    ...('userWallet' in sample && { userWallet: walletAddress }),
    ...('amount' in sample && { amount }),
    ...('refundedAmount' in sample && { refundedAmount: amount, paymentAmount: amount }),
    ...('excessAmount' in sample && { excessAmount: amount, paymentAmount: amount }),
    ...('amountRequired' in sample && { amountRequired: amount }),
    metadata: { ...metadataOf(subscription), ...sample.metadata },
  } as EventData[SampleType];
}
