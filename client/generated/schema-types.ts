/** Permissions of an API key. */
export type ApiKeyScope =
  /** Creates checkout sessions. */
  | 'CHECKOUT'
  /** Queries and live updates. */
  | 'READ'
  /** All mutations except creating checkout sessions. */
  | 'WRITE';

/** The approval through which a wallet pays. A low balance is no matter of the approval. */
export type ApprovalState =
  /** The token account is closed (`balance` is null; `repair_approval` creates it again), or the customer closed the program's authority over the token: then only a new subscription can be collected. */
  | 'CLOSED'
  /** Payments can be collected as far as the balance reaches. */
  | 'OK'
  /** Another app's approval has replaced it. The action `repair_approval` gives it again. */
  | 'REPLACED'
  /** The customer took the approval back, or less than one payment is left of it. The action `repair_approval` gives it again. */
  | 'REVOKED';

/** Status of one attempt to collect a payment. */
export type AttemptStatus =
  /** The payer could not pay; `failureCode` says why. */
  | 'FAILED'
  /** Its transaction may still land. */
  | 'SUBMITTED'
  /** The transfer has landed on chain. */
  | 'SUCCEEDED'
  /** Its transaction never landed; this does not count as a failure of the payer. */
  | 'VOID';

/** The kind of actor of a change. */
export type AuditActor =
  /** A client with an API key. */
  | 'API_KEY'
  /** A customer in the portal. */
  | 'CUSTOMER'
  /** A member of the team. */
  | 'MEMBER'
  /** The operator of this service. */
  | 'OPERATOR';

/** When collection stops. */
export type CancelWhen =
  /** At once; `accessUntil` is the end of the paid time. */
  | 'NOW'
  /** At the due date of the next payment; the subscription is active until then. */
  | 'PERIOD_END';

/** Status of a checkout session. */
export type CheckoutSessionStatus =
  /** The subscription exists. */
  | 'COMPLETED'
  /** Its 30 minutes passed. */
  | 'EXPIRED'
  /** The customer can complete it. */
  | 'OPEN';

/** Which collector it is. */
export type CollectorRole =
  /** New plans name it. */
  | 'CURRENT'
  /** It pulls for plans that name it and not the new one. */
  | 'PREVIOUS';

/** Status of a delivery. */
export type DeliveryStatus =
  /** The endpoint no longer receives the event type, or was deleted. */
  | 'CANCELLED'
  /** Failed after ten attempts. */
  | 'FAILED'
  /** Not delivered yet: the next attempt is at `nextAttemptAt`, or it waits for an earlier delivery. */
  | 'PENDING'
  /** The endpoint responded with 2xx. */
  | 'SUCCEEDED';

/** Why an endpoint was disabled. */
export type EndpointDisabledReason =
  /** All its deliveries failed for five days. */
  | 'FAILING'
  /** It responded with 410. */
  | 'GONE'
  /** The merchant disabled it. */
  | 'MERCHANT';

/** Status of an endpoint. */
export type EndpointStatus =
  /** Deleted; still visible in its deliveries. */
  | 'DELETED'
  /** Receives nothing. Pending deliveries keep waiting; new events create no deliveries and need `replayWebhooks` later. */
  | 'DISABLED'
  /** Receives webhooks. */
  | 'ENABLED';

/** Whether an endpoint receives webhooks. */
export type EndpointSwitch =
  /** Off; its pending deliveries keep waiting. */
  | 'DISABLED'
  /** On; its record of failures is cleared. */
  | 'ENABLED';

/** The network that a key belongs to. */
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

/** A mail that the service sends for a merchant. */
export type MailTemplate =
  /** To the customer: the subscription is cancelled, and until when access lasts. */
  | 'CANCELLED'
  /** To the merchant: a webhook endpoint was disabled. */
  | 'ENDPOINT_DISABLED'
  /** To the merchant: a webhook endpoint has failed for an hour. */
  | 'ENDPOINT_FAILING'
  /** To the customer: the subscription ended because payments failed, and how to come back. */
  | 'EXPIRED'
  /** To the merchant: the first payment was received. */
  | 'FIRST_SALE'
  /** To the customer: a payment failed, what is missing and by when. Sent at the first failure of a payment. */
  | 'PAYMENT_FAILED'
  /** To the merchant: payments of a plan cannot be collected until it is repaired. */
  | 'PLAN_PROBLEM'
  /** To the customer: a link to their subscriptions, which they asked for. It cannot be switched off. */
  | 'PORTAL_LINK'
  /** To the customer: a payment was received. */
  | 'RECEIPT'
  /** To the customer: a payment, or a part of it, was sent back. */
  | 'REFUND'
  /** To the customer: the next payment is a few days away. */
  | 'RENEWAL_REMINDER'
  /** To the customer: the trial ends in three days, and the first payment follows. */
  | 'TRIAL_ENDS';

/** Role of a member of the team. */
export type MemberRole =
  /** Everything except changing the profile and the team. */
  | 'DEVELOPER'
  /** Everything. */
  | 'OWNER'
  /** Queries and live updates. */
  | 'READ_ONLY';

/** How well dues follows the cluster. */
export type MirrorState =
  /** What happened in the last minutes is still to come. */
  | 'BEHIND'
  /** Something may have been missed and is being checked. */
  | 'CHECKING'
  /** Everything is up to date. */
  | 'FOLLOWING'
  /** The cluster was never followed yet. */
  | 'NEVER'
  /** No block was seen for a minute. */
  | 'SILENT';

/** A first step of a new merchant. */
export type OnboardingStepKind =
  /** An API key was created. */
  | 'API_KEY'
  /** A plan was published in LIVE. */
  | 'LIVE'
  /** A payment was collected. */
  | 'PAYMENT'
  /** A plan was published. */
  | 'PLAN_ACTIVE'
  /** The profile has a logo or a support address. */
  | 'PROFILE'
  /** A customer subscribed in TEST. */
  | 'TEST_CHECKOUT'
  /** An endpoint answered a webhook with a status of 200 to 299. */
  | 'WEBHOOK_DELIVERED';

/** Status of one billing period's payment. */
export type PaymentStatus =
  /** Not collected yet. */
  | 'DUE'
  /** Not collected, because the subscription expired or was cancelled first. */
  | 'FAILED'
  /** The period ended unpaid; the payment is never collected later. */
  | 'MISSED'
  /** The transfer has landed on chain. */
  | 'SUCCEEDED';

/** Why a plan's payments cannot be collected. Meanwhile no customer is charged, and no failure is counted. */
export type PlanProblem =
  /** The issuer of the token has begun to keep a part of each transfer, so payments would not arrive in full. Ask the issuer, or move the customers to a plan in another token. */
  | 'MINT_TAKES_FEE'
  /** Its account on chain was not found. */
  | 'NOT_FOUND'
  /** The collector of dues is no longer one of its pullers: `repairPlanTransaction` adds it on chain again. */
  | 'NOT_OUR_PLAN_TO_PULL'
  /** It does not pay to the merchant's wallet. */
  | 'OTHER_DESTINATION'
  /** The merchant's token account is frozen: ask the issuer of the token. */
  | 'RECEIVER_FROZEN'
  /** The merchant's token account was closed after dues had created it again once. Create it, for example by a transfer of the token to the merchant's wallet. */
  | 'RECEIVER_MISSING'
  /** The merchant's token account requires a memo with every transfer: switch that off. */
  | 'RECEIVER_REQUIRES_MEMO'
  /** The merchant's token account could not be read. */
  | 'RECEIVER_UNREADABLE'
  /** Its account on chain could not be read. */
  | 'UNREADABLE';

/** Status of a plan. */
export type PlanStatus =
  /** Takes subscribers. */
  | 'ACTIVE'
  /** Not published: its account was not seen on chain yet. Sign and send its transaction. */
  | 'DRAFT'
  /** Sunset or ended on chain: accepts no new customers. */
  | 'INACTIVE';

/** What a customer can do in a session of the portal. */
export type PortalFlow =
  /** Everything. */
  | 'ALL'
  /** Cancel, or take a cancellation back. */
  | 'CANCEL'
  /** Renew an approval that was revoked or replaced. */
  | 'REPAIR_APPROVAL'
  /** Add money to the wallet that pays. */
  | 'TOP_UP';

/** Status of a refund. */
export type RefundStatus =
  /** You cancelled it. If it is sent nevertheless, it succeeds. */
  | 'CANCELLED'
  /** Not sent within seven days. If it is sent within seven more, it succeeds. */
  | 'EXPIRED'
  /** To be sent by your wallet, or sent and not final yet. */
  | 'PENDING'
  /** Its transfer is final on chain. */
  | 'SUCCEEDED';

/** What a search found. */
export type SearchKind =
  /** An API key; one of `apiKeys`. */
  | 'API_KEY'
  /** For `checkoutSession(id)`. */
  | 'CHECKOUT_SESSION'
  /** For `customer(id)`. */
  | 'CUSTOMER'
  /** For `event(id)`. */
  | 'EVENT'
  /** For `payment(id)`. */
  | 'PAYMENT'
  /** For `plan(planId)`. */
  | 'PLAN'
  /** For `receipt(number)`. */
  | 'RECEIPT'
  /** For `subscription(id)`. */
  | 'SUBSCRIPTION'
  /** For `webhookDelivery(id)`. */
  | 'WEBHOOK_DELIVERY'
  /** For `webhookEndpoint(id)`. */
  | 'WEBHOOK_ENDPOINT';

/** Who may make a merchant. */
export type SignUpPolicy =
  /** Only the operator of this service. */
  | 'CLOSED'
  /** Wallets that are a member of a merchant. */
  | 'INVITED'
  /** Any wallet. */
  | 'OPEN';

/** The order of a list of subscriptions. */
export type SubscriptionOrder =
  /** Newest first. */
  | 'CREATED'
  /** By the due date of the next or overdue payment, earliest first. Lists only subscriptions that have one. */
  | 'NEXT_PAYMENT';

/** Status of a subscription, which decides about access. */
export type SubscriptionStatus =
  /** Payments are collected: provide access. */
  | 'ACTIVE'
  /** Never charged again: revoke access, at `accessUntil` if it is set. */
  | 'CANCELLED'
  /** Too many consecutive failures: revoke access and offer to subscribe again. */
  | 'EXPIRED'
  /** A payment failed and is retried: show a warning. */
  | 'PAST_DUE';

/** The outcome of an event at an endpoint. */
export type WebhookResult =
  /** Cancelled, because the endpoint no longer received the event type. */
  | 'CANCELLED'
  /** Failed after the last attempt. */
  | 'FAILED'
  /** No delivery exists: the endpoint was disabled or did not exist yet. Events without a subscription are left out. */
  | 'NOT_SENT'
  /** Delivered. */
  | 'SUCCEEDED';
