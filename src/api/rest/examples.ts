// Examples in the OpenAPI document: one customer of one shop, from the order to the subscription.

const sessionId = 'cs_4fTjvGdEHRUQyKVz8uoNu0dL9wPtWbKcXq2mZs7aYhE';
const url = `https://dues.example/checkout/${sessionId}`;
const expiresAt = '2026-12-01T12:30:00.000Z';
const successUrl = 'https://shop.example/welcome';
const cancelUrl = 'https://shop.example/pricing';
const subscriptionId = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const walletAddress = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const metadata = { campaign: 'autumn' };
const customer = { email: 'ada@shop.example', customerId: 'user-1815', walletAddress };

/** The beginning of a transaction. */
const TRANSACTION = 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA...';

const plan = {
  planId: 'pro-monthly',
  planName: 'Pro',
  description: 'Everything, every month',
  amount: '12500000',
  interval: '2592000',
  trialPeriodSeconds: '0',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
};

export const EXAMPLE = {
  transaction: TRANSACTION,
  sessionId,
  linkId: '7d3f0c52-5c0e-4d2b-9a44-0f6d1b6a2c11',
  subscriptionId,
  walletAddress,
  order: {
    planId: plan.planId,
    customerEmail: customer.email,
    customerId: customer.customerId,
    successUrl,
    cancelUrl,
    metadata,
    idempotency_key: 'order-4711',
  },
  createdSession: { sessionId, url, expiresAt },
  session: {
    sessionId,
    url,
    status: 'open',
    environment: 'test',
    expiresAt,
    merchant: { companyName: 'Acme', logoUrl: null, supportEmail: 'help@shop.example' },
    plan,
    cancelUrl,
    subscriptionId: null,
    customer: { ...customer, walletAddress: null },
    successUrl,
    metadata,
    createdAt: '2026-12-01T12:00:00.000Z',
    completedAt: null,
  },
  checkoutTransactions: {
    subscriptionPda: subscriptionId,
    transactions: [TRANSACTION],
    sponsored: false,
    more: false,
    trialPeriodSeconds: '0',
    costs: { fee: '5000', deposits: '2763680' },
    balance: { amount: '50000000', recommended: '37500000', sufficient: true, lamports: '20000000' },
  },
  solanaPayLabel: { label: 'Acme', icon: 'https://shop.example/logo.svg' },
  solanaPayTransaction: { transaction: TRANSACTION, message: 'Pro: 12.50 USDC every 30 days.' },
  completed: {
    sessionId,
    status: 'completed',
    subscriptionId,
    redirectUrl: `${successUrl}?session_id=${sessionId}`,
  },
  portalOrder: { subscriptionId, flow: 'cancel', returnUrl: 'https://shop.example/account' },
  createdPortalSession: {
    url: 'https://dues.example/portal#link=kcG6oYfM1w3rGxKkVZb0a7nT5vQ2sLh9eJdXyUiPpRo',
    expiresAt: '2026-12-01T12:15:00.000Z',
  },
  subscription: {
    subscriptionId,
    state: 'active',
    customer,
    plan,
    metadata,
    paymentNumber: 3,
    failureCount: 0,
    nextPaymentDate: '2027-03-01T12:04:12.000Z',
    accessUntil: null,
    cancelAtPeriodEnd: false,
    startedAt: '2026-12-01T12:04:12.000Z',
    createdAt: '2026-12-01T12:04:13.251Z',
  },
} as const;
