// Examples in the OpenAPI document: one customer of one shop, from the order to the subscription.
import { PROGRAM } from '../../chain/accounts/addresses.ts';
import type { ReceiptDocument } from '../../domain/billing/receipt/receipt-document.ts';

const sessionId = 'cs_4fTjvGdEHRUQyKVz8uoNu0dL9wPtWbKcXq2mZs7aYhE';
const url = `https://dues.example/checkout/${sessionId}`;
const expiresAt = '2026-12-01T12:30:00.000Z';
const successUrl = 'https://shop.example/welcome';
const cancelUrl = 'https://shop.example/pricing';
const subscriptionId = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const walletAddress = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const metadata = { campaign: 'autumn' };
const customer = { email: 'ada@shop.example', customerId: 'user-1815', walletAddress };

/** The first characters of a transaction. */
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

const receiptUrl = 'https://dues.example/receipts/AY7nyxw3eL2dVhvZ0Qy5pGxwR4uKfTjvGdEHRUQyKVw';
const paymentId = '0190b7c4-5b1e-7c3a-9f64-2f6f0f7f0a12';
const paidAt = '2026-12-01T12:04:12.000Z';
const issuedAt = '2026-12-01T12:04:27.310Z';

const receiptDocument: ReceiptDocument = {
  type: 'dues.receipt',
  version: 1,
  number: 12,
  environment: 'LIVE',
  issuedAt,
  paidAt,
  paymentId,
  paymentNumber: 1,
  period: { from: paidAt, to: '2026-12-31T12:04:12.000Z' },
  plan: { id: plan.planId, name: plan.planName },
  amount: { baseUnits: plan.amount, decimals: 6, decimal: '12.50', symbol: 'USDC', mint: plan.mint },
  seller: {
    name: 'Acme',
    legalName: 'Acme Ltd',
    address: '1 High Street\nLondon',
    taxId: 'GB123456789',
    email: 'help@shop.example',
    wallet: '2NTTiyZL6Tc9G51nXyLwBWYvdQ4RTqHXAgnThAqCWZPa',
  },
  buyer: { legalName: null, address: null, taxId: null, email: customer.email, wallet: walletAddress },
  chain: {
    cluster: 'solana:mainnet',
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    signature: '5'.repeat(87),
    slot: '361204417',
    eventIndex: 0,
    program: PROGRAM,
    plan: 'Dc2vTxuxnMr9ZLqPZ3bWvWQYhXfGJx2AjRZ3UVPa4Qh8',
    subscription: subscriptionId,
    periodStart: '1796126652',
  },
};

const walletTerms = {
  sponsored: false,
  trialPeriodSeconds: '0',
  dueNow: '12500000',
  nextPaymentDate: '2026-12-31T12:00:00.000Z',
  costs: { fee: '5000', deposits: '2763680' },
  balance: { amount: '50000000', recommended: '37500000', sufficient: true, lamports: '20000000' },
};

export const EXAMPLE = {
  receipt: {
    number: receiptDocument.number,
    issuedAt,
    paymentId,
    url: receiptUrl,
    jsonUrl: `${receiptUrl}/receipt.json`,
    document: receiptDocument,
    paymentAmount: plan.amount,
    refundedAmount: '0',
  },
  customerState: {
    customerId: customer.customerId,
    hasAccess: true,
    features: { export: true as const, seats: 5 },
    subscriptions: [
      {
        subscriptionId,
        planId: plan.planId,
        status: 'ACTIVE' as const,
        hasAccess: true,
        until: null,
        reason: 'ACTIVE' as const,
        startedAt: paidAt,
      },
    ],
    version: 1,
    validUntil: null,
    asOf: { slot: '448530351', mirrorBehindSeconds: 0 },
  },
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
    discount: null,
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
    more: false,
    ...walletTerms,
  },
  checkedWallet: {
    refusal: 'The wallet has 10.00 USDC, and the first payment is 12.50 USDC: 2.50 USDC is missing.',
    missing: { amount: '2500000', lamports: '0' },
    terms: {
      ...walletTerms,
      balance: { amount: '10000000', recommended: '37500000', sufficient: false, lamports: '20000000' },
    },
  },
  solanaPayLabel: { label: 'Acme', icon: 'https://shop.example/logo.svg' },
  solanaPayTransaction: { transaction: TRANSACTION, message: 'Pro: 12.50 USDC every month.' },
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
