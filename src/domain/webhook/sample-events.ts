import type { EventData, EventType } from '../event/types.ts';

const customer = { email: 'customer@example.com', walletAddress: '11111111111111111111111111111111' };
const about = { subscriptionId: 'sample', customer, metadata: { sample: true } };
const LATER = '2030-01-01T00:00:00.000Z';

/** What a merchant is sent to try its receiver with: shaped like the real thing, about nobody. */
export const sampleEvents: { readonly [T in Exclude<EventType, `endpoint.${string}`>]: EventData[T] } = {
  'subscription.created': {
    ...about,
    sessionId: 'cs_sample',
    customer: { ...customer, customerId: null },
    plan: { planId: 'sample', planName: 'Sample plan', amount: '5000000', interval: '2592000' },
  },
  'subscription.payment_succeeded': {
    ...about,
    userWallet: customer.walletAddress,
    amount: '5000000',
    paymentNumber: 1,
    nextPaymentDate: LATER,
  },
  'subscription.payment_failed': {
    ...about,
    amountRequired: '5000000',
    balanceAvailable: '0',
    failureCount: 1,
  },
  'subscription.cancelled': { ...about, accessUntil: LATER },
  'subscription.expired': { ...about, failureCount: 3 },
  'subscription.resumed': { ...about, nextPaymentDate: LATER },
};
