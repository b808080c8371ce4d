/** What an API key may be used for. */
export type ApiKeyScope =
  /** Creates checkout sessions. */
  | 'CHECKOUT'
  /** Reads, and live updates. */
  | 'READ'
  /** Changes of everything but checkouts. */
  | 'WRITE';

/** What became of one try at a payment. */
export type AttemptStatus =
  /** The payer could not pay; `failureCode` says why. */
  | 'FAILED'
  /** In a transaction that may still land. */
  | 'SUBMITTED'
  /** The money has moved. */
  | 'SUCCEEDED'
  /** Its transaction never landed: says nothing of the payer. */
  | 'VOID';

/** Who makes a change. */
export type AuditActor =
  /** A backend, by one of its keys. */
  | 'API_KEY'
  /** A member of the team. */
  | 'MEMBER'
  /** Whoever runs this service. */
  | 'OPERATOR';

/** When collection stops. */
export type CancelWhen =
  /** At once; `accessUntil` says until when the customer has paid. */
  | 'NOW'
  /** When the next payment would be due; active until then. */
  | 'PERIOD_END';

/** Where a checkout stands. */
export type CheckoutSessionStatus =
  /** The subscription exists. */
  | 'COMPLETED'
  /** Its 30 minutes passed. */
  | 'EXPIRED'
  /** Waits for the customer. */
  | 'OPEN';

/** What became of a delivery. */
export type DeliveryStatus =
  /** The endpoint no longer wants such events, or was removed. */
  | 'CANCELLED'
  /** Given up after ten tries. */
  | 'FAILED'
  /** Not through yet: it is tried at `nextAttemptAt`, or waits for an earlier one. */
  | 'PENDING'
  /** The receiver answered 2xx. */
  | 'SUCCEEDED';

/** Who or what switched an endpoint off. */
export type EndpointDisabledReason =
  /** It did nothing but fail for five days. */
  | 'FAILING'
  /** It answered 410. */
  | 'GONE'
  /** You did. */
  | 'MERCHANT';

/** Whether an endpoint receives anything. */
export type EndpointStatus =
  /** Removed; still seen in its deliveries. */
  | 'DELETED'
  /** Receives nothing; what waited goes on waiting, new events are not kept for it (`replayWebhooks`). */
  | 'DISABLED'
  /** Receives its events. */
  | 'ENABLED';

/** Whether an endpoint is to receive anything. */
export type EndpointSwitch =
  /** Off: what waits goes on waiting. */
  | 'DISABLED'
  /** On, with a clean record. */
  | 'ENABLED';

/** Which network a key opens. */
export type Environment =
  /** Mainnet; keys begin with `sk_live_`. */
  | 'LIVE'
  /** Devnet; keys begin with `sk_test_`. */
  | 'TEST';

/** Why a payer could not pay. */
export type FailureCode =
  /** The token account is closed. */
  | 'ACCOUNT_CLOSED'
  /** The token account is frozen. */
  | 'ACCOUNT_FROZEN'
  /** The approval was revoked, or replaced by another. */
  | 'APPROVAL_REVOKED'
  /** Too little in the token account. */
  | 'INSUFFICIENT_FUNDS';

/** What a member of the team may do. */
export type MemberRole =
  /** Everything but to change the profile and the team. */
  | 'DEVELOPER'
  /** Everything. */
  | 'OWNER'
  /** Reads, and live updates. */
  | 'READ_ONLY';

/** What became of one billing period's payment. */
export type PaymentStatus =
  /** Not collected yet. */
  | 'DUE'
  /** Given up: the subscription expired or was cancelled first. */
  | 'FAILED'
  /** Its period passed unpaid; it is never collected later. */
  | 'MISSED'
  /** The money has moved. */
  | 'SUCCEEDED';

/** What stands in the way of a plan's payments. Nobody is charged, and no customer is blamed for it. */
export type PlanProblem =
  /** Its account on chain was not found. */
  | 'NOT_FOUND'
  /** Our collector was taken off its pullers: put the collector back on chain. */
  | 'NOT_OUR_PLAN_TO_PULL'
  /** It does not pay to the merchant's wallet. */
  | 'OTHER_DESTINATION'
  /** The merchant's token account is frozen: ask the issuer of the token. */
  | 'RECEIVER_FROZEN'
  /** The merchant's token account wants a memo with every transfer: switch that off. */
  | 'RECEIVER_REQUIRES_MEMO'
  /** The merchant's token account could not be read. */
  | 'RECEIVER_UNREADABLE'
  /** Its account on chain could not be read. */
  | 'UNREADABLE';

/** Whether a plan can be subscribed to. */
export type PlanStatus =
  /** Takes subscribers. */
  | 'ACTIVE'
  /** Its account on chain has not been seen yet: sign and send its transaction. */
  | 'DRAFT'
  /** Sunset or ended on chain: takes no new subscribers. */
  | 'INACTIVE';

/** Whether a subscriber is to be served. */
export type SubscriptionStatus =
  /** Payments are collected: provide access. */
  | 'ACTIVE'
  /** Never charged again: revoke access, at `accessUntil` where it is set. */
  | 'CANCELLED'
  /** Too many failures in a row: revoke access, offer to subscribe again. */
  | 'EXPIRED'
  /** A payment failed and is tried again: show a warning. */
  | 'PAST_DUE';

/** What became of an event at an endpoint. */
export type WebhookResult =
  /** The endpoint did not want it any more. */
  | 'CANCELLED'
  /** It was given up. */
  | 'FAILED'
  /** Nothing was made of it: the endpoint was off, or not there yet. */
  | 'NOT_SENT'
  /** It was delivered. */
  | 'SUCCEEDED';
