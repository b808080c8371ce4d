import type { FailureCode, PlanProblem, WaivedReason } from '../../../generated/prisma/client.ts';

// The event data of the contract. Amounts are integer strings in base units of the token, dates are
// ISO 8601 in UTC. A subscription's id here is its address on chain.

/**
 * The session's metadata, as the merchant gave it; part of every webhook about its subscription.
 */
type Metadata = { [key: string]: unknown };

/**
 * When the subscription started on chain, ISO 8601. A new subscription at the address of one that
 * has ended has the same `subscriptionId` and a later start. Events that were recorded by version
 * 0.1.0 have none.
 */
type StartTime = string;

type Payer = {
  email: string;
  /** The merchant's id of the customer; null if none was given. */
  customerId: string | null;
  walletAddress: string;
};

/** A checkout was completed. */
export type SubscriptionCreated = {
  sessionId: string;
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  plan: {
    planId: string;
    planName: string;
    amount: string;
    /** Seconds. */
    interval: string;
  };
  /**
   * The discount of the subscription, if it has one.
   */
  discount?: {
    /** Our id of the discount. */
    discountId: string;
    name: string;
    /** Hundredths of a percent that it takes off; null for a fixed amount. */
    percentBps: number | null;
    /** What it takes off, in base units; null for a part of the price. */
    amount: string | null;
    /** Number of payments that it reduces; null for all. */
    periods: number | null;
  };
  metadata: Metadata;
};

/** One line of a payment. */
export type PaymentLine = {
  /** `FLAT`: the price. `DISCOUNT`: what a discount takes off. `EXTRA`: collected by the merchant. `OVER_LIMIT`: not charged. */
  kind: string;
  text: string;
  amount: string;
};

/** A payment was collected. After a failure it also means that the subscription is active again. */
export type PaymentSucceeded = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the payment. */
  paymentId: string;
  /** Signature of the transaction with the transfer. */
  signature: string;
  userWallet: string;
  /**
   * The amount of this transfer, in base units. If a merchant collects a period in parts, each part
   * is an event with the same `paymentId` and `paymentNumber`; together they are the payment.
   */
  amount: string;
  /** What the payment is for. Events that were recorded before this field existed have none. */
  kind?: 'PERIOD' | 'EXTRA';
  /**
   * What is owed, line by line, in base units; a reduction is below 0. Events that were recorded
   * before this field existed have none, and a payment of that time has no lines.
   */
  lines?: readonly PaymentLine[];
  /**
   * The sum of the payment's transfers up to this one, in base units. Events that were recorded
   * before this field existed have none.
   */
  paidAmount?: string;
  paymentNumber: number;
  /** Due date of the next payment; for a subscription that has ended, the end of the paid time. */
  nextPaymentDate: string;
  metadata: Metadata;
};

/** The payer could not pay. */
export type PaymentFailed = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the payment. */
  paymentId: string;
  failureCode: FailureCode;
  /** When the next attempt happens; null if this failure was the last. */
  nextAttemptDate: string | null;
  /**
   * Why this payment is not retried; null if it is. `PERIOD_ENDS`: nothing that is sent now could
   * land in its period, so the next attempt is for the next payment. `UNTIL_PAID`: it is collected
   * when the wallet is topped up before its period ends; the next attempt is for the next payment. Events that were recorded
   * before this field existed have none.
   */
  noRetryReason?: 'TOO_MANY_FAILURES' | 'PERIOD_ENDS' | 'UNTIL_PAID' | null;
  amountRequired: string;
  balanceAvailable: string;
  failureCount: number;
  metadata: Metadata;
};

/**
 * A period ended without a collection and without a failure of the payer. It is never collected
 * later.
 */
export type PaymentMissed = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the payment. */
  paymentId: string;
  /** The amount that was not collected. */
  amount: string;
  /** When it was due. */
  dueDate: string;
  /** The problem of the plan, which the merchant must repair; null for an outage of dues. */
  planProblem: PlanProblem | null;
  metadata: Metadata;
};

/**
 * Nothing is collected for a period: the subscription is paused, the period is free, or the merchant waived
 * the payment. It is recorded when the payment is due, or when a payment that is open is waived. After a
 * failure it also means that the subscription is active again.
 */
export type PaymentWaived = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the payment. */
  paymentId: string;
  /** The amount that is not collected. */
  amount: string;
  /** When it was due. */
  dueDate: string;
  waivedReason: WaivedReason;
  /** In the words of the merchant or the customer; null if none were given. */
  reason: string | null;
  metadata: Metadata;
};

/** A pause begins at the next due date. Nothing is collected in it. */
export type SubscriptionPaused = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  /** The first due date at which nothing is collected. */
  pausedFrom: string;
  /** The next due date at which a payment is collected again; null: until it is resumed. */
  pausedUntil: string | null;
  /** Whether the customer keeps access in the pause. */
  keepsAccess: boolean;
  /** In the words of the merchant or the customer; null if none were given. */
  reason: string | null;
  metadata: Metadata;
};

/**
 * A pause is over: the first payment after it is due, or the pause was taken back before it began, or ended
 * early with a payment.
 */
export type SubscriptionUnpaused = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  /** When the next payment is due; in the past if it is collected now. */
  nextPaymentDate: string;
  metadata: Metadata;
};

/**
 * The cluster rolled back a confirmed transaction, so the payment of an earlier
 * `subscription.payment_succeeded` did not happen. The payment is due again if its period is not
 * over, otherwise it is missed; another event follows.
 */
export type PaymentReversed = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the payment. */
  paymentId: string;
  /** Signature of the transaction that was rolled back. */
  signature: string;
  /** The amount of the reversed payment. */
  amount: string;
  /** The payment's number, which the next successful payment gets. */
  paymentNumber: number;
  /** When it was due. */
  dueDate: string;
  metadata: Metadata;
};

/** The subscription will not be charged again. */
export type SubscriptionCancelled = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  /** End of the paid time; null if none is left. */
  accessUntil: string | null;
  /** The reason that the customer chose in the portal, like `too_expensive`; null if none. */
  cancellationReason: string | null;
  /** The customer's comment on it; null if there is none. */
  cancellationComment: string | null;
  metadata: Metadata;
};

/**
 * The subscription is cancelled at the end of the paid period. Until then it stays as it is, and it
 * is not charged meanwhile.
 */
export type CancellationScheduled = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  /** When it is cancelled, with a `subscription.cancelled`, unless the cancellation is undone. */
  cancelsAt: string;
  /**
   * The reason that the customer chose in the portal, like `too_expensive`; null if there is none,
   * and if this event follows a `subscription.resumed`.
   */
  cancellationReason: string | null;
  /** The customer's comment on it; null if there is none. */
  cancellationComment: string | null;
  metadata: Metadata;
};

/** A cancellation at the end of the period was taken back before it took effect. */
export type CancellationUndone = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  nextPaymentDate: string;
  metadata: Metadata;
};

/** Too many consecutive failures. */
export type SubscriptionExpired = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  failureCount: number;
  metadata: Metadata;
};

/** The customer resumed the subscription before its cancellation took effect. */
export type SubscriptionResumed = {
  subscriptionId: string;
  startedAt?: StartTime;
  customer: Payer;
  nextPaymentDate: string;
  metadata: Metadata;
};

/** A refund of a payment, or of a part of it, is final on chain. */
export type PaymentRefunded = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the refunded payment. */
  paymentId: string;
  refundId: string;
  /** Signature of the transaction with the refund's transfer. */
  signature: string;
  /** The amount of this refund. */
  amount: string;
  /** The amount of all refunds of the payment so far, with this one. */
  refundedAmount: string;
  /** What was paid for the payment, before its refunds. */
  paymentAmount: string;
  /** In the merchant's words; null if none was given. */
  reason: string | null;
  metadata: Metadata;
};

/**
 * The merchant's wallet sent a refund once more, which was already paid: the customer got too much.
 */
export type PaymentRefundedAgain = {
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Our id of the refunded payment. */
  paymentId: string;
  refundId: string;
  /** Signature of the transaction with the further transfer. */
  signature: string;
  /** The amount of the further transfer. */
  amount: string;
  /** The amount of all further transfers of the refund so far, with this one. */
  excessAmount: string;
  /** What was paid for the payment, before its refunds. */
  paymentAmount: string;
  metadata: Metadata;
};

/**
 * A second wallet subscribed for a checkout session that another wallet has completed. Its
 * subscription is not collected; its wallet should cancel and close it.
 */
export type CheckoutSubscribedAgain = {
  sessionId: string;
  /** The subscription with which the session was completed. */
  subscriptionId: string;
  startedAt?: StartTime;
  /** The merchant's id of the plan. */
  planId: string;
  customer: Payer;
  /** Address of the second subscription on chain. */
  duplicateSubscriptionId: string;
  /** The wallet that created it. */
  duplicateWalletAddress: string;
  /** Signature of the transaction that created it. */
  signature: string;
  metadata: Metadata;
};

/** A webhook endpoint was disabled by dues. */
export type EndpointDisabled = {
  endpointId: string;
  url: string;
  /** It responded with 410, or all its deliveries failed for five days. */
  reason: 'GONE' | 'FAILING';
  /** First failure since the last success; null if it had not failed before. */
  failingSince: string | null;
};

/**
 * The database of the service was replaced by one that may lack its newest rows, and the chain has been
 * read again. What only the database knew of that time may be lost.
 */
export type ServiceRestored = {
  /** Rows that were written before are there; null if it is not known. */
  lostFrom: string | null;
  /** Rows that were written until then may be lost. */
  lostUntil: string;
};

/**
 * What a customer may do has changed. Each change is one event with the next version. Two events may arrive in
 * another order: keep the one with the higher version.
 */
export type CustomerStateChanged = {
  /** The merchant's id of the customer; ours if the merchant gave none. */
  customerId: string;
  /** The number of changes of this customer so far. */
  version: number;
  /** Whether any subscription gives access. */
  hasAccess: boolean;
  /** What the plans with access allow together: `true`, or the highest limit. */
  features: { [key: string]: true | number };
  subscriptions: readonly CustomerAccess[];
  /** When this changes by time alone, with another event; null if it does not. */
  validUntil: string | null;
  /** What it was before; null for the first one. */
  previous: { hasAccess: boolean; features: { [key: string]: true | number } } | null;
};

/** The access that one subscription gives. */
export type CustomerAccess = {
  /** Address on chain. */
  subscriptionId: string;
  /** The merchant's id of the plan. */
  planId: string;
  status: 'ACTIVE' | 'PAST_DUE' | 'CANCELLED' | 'EXPIRED';
  hasAccess: boolean;
  /** When access ends if nothing changes; null if no end is known, or if there is no access. */
  until: string | null;
  /**
   * `GRACE`: the payment has failed for the last time, and the merchant's grace is not over. `UNPAID`: it
   * waits for a top-up.
   */
  reason: 'ACTIVE' | 'PAUSED' | 'PAST_DUE' | 'GRACE' | 'UNPAID' | 'CANCELLED' | 'EXPIRED';
  startedAt: StartTime;
};

/** The last redemption of a discount has become a subscription. */
export type DiscountUsedUp = {
  discountId: string;
  name: string;
  /** Null if customers do not enter one. */
  code: string | null;
  maxRedemptions: number;
};

/** Sent by the merchant to test an endpoint. */
export type EndpointTest = {
  endpointId: string;
};

/** The data of each event type. */
export type EventData = {
  'subscription.created': SubscriptionCreated;
  'subscription.payment_succeeded': PaymentSucceeded;
  'subscription.payment_failed': PaymentFailed;
  'subscription.payment_missed': PaymentMissed;
  'subscription.payment_waived': PaymentWaived;
  'subscription.payment_reversed': PaymentReversed;
  'subscription.cancellation_scheduled': CancellationScheduled;
  'subscription.cancellation_undone': CancellationUndone;
  'subscription.cancelled': SubscriptionCancelled;
  'subscription.expired': SubscriptionExpired;
  'subscription.resumed': SubscriptionResumed;
  'subscription.paused': SubscriptionPaused;
  'subscription.unpaused': SubscriptionUnpaused;
  'payment.refunded': PaymentRefunded;
  'payment.refunded_again': PaymentRefundedAgain;
  'checkout.subscribed_again': CheckoutSubscribedAgain;
  'customer.state_changed': CustomerStateChanged;
  'discount.used_up': DiscountUsedUp;
  'endpoint.disabled': EndpointDisabled;
  'endpoint.test': EndpointTest;
  'service.restored': ServiceRestored;
};

export type EventType = keyof EventData;

export const eventTypes = [
  'subscription.created',
  'subscription.payment_succeeded',
  'subscription.payment_failed',
  'subscription.payment_missed',
  'subscription.payment_waived',
  'subscription.payment_reversed',
  'subscription.cancellation_scheduled',
  'subscription.cancellation_undone',
  'subscription.cancelled',
  'subscription.expired',
  'subscription.resumed',
  'subscription.paused',
  'subscription.unpaused',
  'payment.refunded',
  'payment.refunded_again',
  'checkout.subscribed_again',
  'customer.state_changed',
  'discount.used_up',
  'endpoint.disabled',
  'endpoint.test',
  'service.restored',
] as const satisfies readonly EventType[];
