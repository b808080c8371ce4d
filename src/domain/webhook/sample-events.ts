import type { Customer, Plan, Subscription } from '../../generated/prisma/client.ts';
import type { EventData, EventType } from '../event/types.ts';
import { metadataOf } from '../payment/billable.ts';

/** Those that a merchant's receiver can be tried with. */
export type SampleType = Exclude<EventType, `endpoint.${string}`>;

const customer = { email: 'customer@example.com', walletAddress: '11111111111111111111111111111111' };
const about = { subscriptionId: 'sample', customer, metadata: { sample: true } };
const aboutPayment = {
  ...about,
  planId: 'sample',
  paymentId: '00000000-0000-7000-8000-000000000000',
  customer: { ...customer, customerId: null },
};
const LATER = '2030-01-01T00:00:00.000Z';

/** What a merchant is sent to try its receiver with: shaped like the real thing, about nobody. */
export const sampleEvents: { readonly [T in SampleType]: EventData[T] } = {
  'subscription.created': {
    ...about,
    sessionId: 'cs_sample',
    customer: { ...customer, customerId: null },
    plan: { planId: 'sample', planName: 'Sample plan', amount: '5000000', interval: '2592000' },
  },
  'subscription.payment_succeeded': {
    ...aboutPayment,
    signature: '1111111111111111111111111111111111111111111111111111111111111111',
    userWallet: customer.walletAddress,
    amount: '5000000',
    paymentNumber: 1,
    nextPaymentDate: LATER,
  },
  'subscription.payment_failed': {
    ...aboutPayment,
    failureCode: 'INSUFFICIENT_FUNDS',
    nextAttemptDate: LATER,
    amountRequired: '5000000',
    balanceAvailable: '0',
    failureCount: 1,
  },
  'subscription.cancelled': { ...about, accessUntil: LATER },
  'subscription.expired': { ...about, failureCount: 3 },
  'subscription.resumed': { ...about, nextPaymentDate: LATER },
};

export const sampleTypes = Object.keys(sampleEvents) as readonly SampleType[];

export function isSampleType(type: string): type is SampleType {
  return sampleTypes.some((each) => each === type);
}

/** The same, about a subscription that is there: what identifies it is its own, what would have happened is made up. */
export function sampleAbout(
  type: SampleType,
  subscription: Subscription & { readonly customer: Customer; readonly plan: Plan },
): EventData[SampleType] {
  const { address, walletAddress, customer, plan } = subscription;
  const { email, customerId } = customer;
  const sample = sampleEvents[type];
  const amount = String(plan.amount);
  return {
    ...sample,
    subscriptionId: address,
    customer: { email, walletAddress, ...('customerId' in sample.customer && { customerId }) },
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
    ...('amountRequired' in sample && { amountRequired: amount }),
    metadata: { ...metadataOf(subscription), ...sample.metadata },
  } as EventData[SampleType];
}
