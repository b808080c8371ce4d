// Made from src/domain/event/types.ts by codegen.ts.
import type { FailureCode } from './schema-types.ts';

// What merchants are told, as they were promised it (spec.md, Events). Amounts are integer strings in base units of the
// asset, dates ISO 8601 UTC. A subscription's id here is its address on chain.

/** The session's metadata, as the merchant gave it; in every webhook about its subscription. */
type Metadata = { [key: string]: unknown };

type Payer = { email: string; walletAddress: string };

/** With the merchant's own id of the customer; null where none was given. */
type KnownPayer = Payer & { customerId: string | null };

/** A checkout was completed. */
export type SubscriptionCreated = {
  sessionId: string;
  subscriptionId: string;
  customer: KnownPayer;
  plan: {
    planId: string;
    planName: string;
    amount: string;
    /** Seconds. */
    interval: string;
  };
  metadata: Metadata;
};

/** A payment was collected; after a failure it also means that the subscription is active again. */
export type PaymentSucceeded = {
  subscriptionId: string;
  /** The merchant's own id of the plan. */
  planId: string;
  customer: KnownPayer;
  /** Our id of the payment. */
  paymentId: string;
  /** Of the transaction that moved the money. */
  signature: string;
  userWallet: string;
  /**
   * What this transfer moved, in base units. A merchant who collects a period's amount in parts hears of each, under the
   * same `paymentId` and `paymentNumber`: they add up to the payment.
   */
  amount: string;
  paymentNumber: number;
  /** Due date of the payment after it. Of a subscription that ended meanwhile: until when it is paid for. */
  nextPaymentDate: string;
  metadata: Metadata;
};

/** The payer could not pay. */
export type PaymentFailed = {
  subscriptionId: string;
  /** The merchant's own id of the plan. */
  planId: string;
  customer: KnownPayer;
  /** Our id of the payment. */
  paymentId: string;
  failureCode: FailureCode;
  /** When it is tried again; null where this failure was the last. */
  nextAttemptDate: string | null;
  amountRequired: string;
  balanceAvailable: string;
  failureCount: number;
  metadata: Metadata;
};

/** It will not be charged again. */
export type SubscriptionCancelled = {
  subscriptionId: string;
  customer: Payer;
  /** Until when the customer has paid; null where nothing is left. */
  accessUntil: string | null;
  metadata: Metadata;
};

/** Too many failures in a row. */
export type SubscriptionExpired = {
  subscriptionId: string;
  customer: Payer;
  failureCount: number;
  metadata: Metadata;
};

/** The customer took a cancellation back before it took effect. */
export type SubscriptionResumed = {
  subscriptionId: string;
  customer: Payer;
  nextPaymentDate: string;
  metadata: Metadata;
};

/** A webhook endpoint of the merchant's was switched off, and not by the merchant. */
export type EndpointDisabled = {
  endpointId: string;
  url: string;
  /** It answered 410, or did nothing but fail for five days. */
  reason: 'GONE' | 'FAILING';
  /** Its first failure since it last worked; null where it had not failed before. */
  failingSince: string | null;
};

/** Sent by the merchant to see whether an endpoint works. */
export type EndpointTest = {
  endpointId: string;
};

/** The data of every event there is. */
export type EventData = {
  'subscription.created': SubscriptionCreated;
  'subscription.payment_succeeded': PaymentSucceeded;
  'subscription.payment_failed': PaymentFailed;
  'subscription.cancelled': SubscriptionCancelled;
  'subscription.expired': SubscriptionExpired;
  'subscription.resumed': SubscriptionResumed;
  'endpoint.disabled': EndpointDisabled;
  'endpoint.test': EndpointTest;
};

export type EventType = keyof EventData;

export const eventTypes = [
  'subscription.created',
  'subscription.payment_succeeded',
  'subscription.payment_failed',
  'subscription.cancelled',
  'subscription.expired',
  'subscription.resumed',
  'endpoint.disabled',
  'endpoint.test',
] as const satisfies readonly EventType[];
