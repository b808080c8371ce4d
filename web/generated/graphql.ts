/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Why a subscription gives access, or gives none. */
export type AccessReason =
  /** It is paid, or in its trial. */
  | 'ACTIVE'
  /** It is cancelled: access until the end of the paid time. */
  | 'CANCELLED'
  /** Too many payments have failed. */
  | 'EXPIRED'
  /** Its payment has failed for the last time, and the merchant's grace is not over: access until then. */
  | 'GRACE'
  /** A payment has failed and is retried. Access goes on meanwhile. */
  | 'PAST_DUE'
  /** It is paused without access. */
  | 'PAUSED'
  /** Its payment has failed for the last time, and waits for a top-up: `retryPolicy` UNTIL_PAID of the plan. */
  | 'UNPAID';

/** Permissions of an API key. */
export type ApiKeyScope =
  /** Creates checkout sessions. */
  | 'CHECKOUT'
  /** Queries and live updates. */
  | 'READ'
  /** All mutations except creating checkout sessions. */
  | 'WRITE';

/** State of a wallet's approval, which allows dues to collect from the wallet. The balance does not affect it. */
export type ApprovalState =
  /** Either the token account is closed: then `balance` is null, and `repair_approval` creates the account again. Or the customer closed the authority that the subscription program has over the token: then nothing more can be collected, and the customer must subscribe again. */
  | 'CLOSED'
  /** The approval is valid: payments can be collected if the balance is enough. */
  | 'OK'
  /** The approval of another app has replaced it. The action `repair_approval` renews it. */
  | 'REPLACED'
  /** The customer revoked the approval, or it covers less than one payment. The action `repair_approval` renews it. */
  | 'REVOKED';

/** Status of one attempt to collect a payment. */
export type AttemptStatus =
  /** The payer could not pay; `failureCode` says why. */
  | 'FAILED'
  /** Its transaction was sent and may still land on chain. */
  | 'SUBMITTED'
  /** The transfer has landed on chain. */
  | 'SUCCEEDED'
  /** Its transaction can no longer land. This does not count as a failure of the payer. */
  | 'VOID';

/** The kind of actor that made a change. */
export type AuditActor =
  /** A program with an API key. */
  | 'API_KEY'
  /** A customer in the portal. */
  | 'CUSTOMER'
  /** A member of the team. */
  | 'MEMBER'
  /** The operator of this service. */
  | 'OPERATOR';

/** Filter for entries; all given conditions must match. */
export type AuditLogFilter = {
  /** Only changes of this kind, for example `api_key.created`. */
  action?: string | null | undefined;
  /** Only changes by this key or member. */
  actorId?: string | number | null | undefined;
  /** Only changes at this time or later. */
  from?: string | null | undefined;
  /** Only changes of the object with this id. */
  targetId?: string | null | undefined;
  /** Only changes before this time. */
  to?: string | null | undefined;
};

/** The fields to change; others stay unchanged. */
export type BillingDetailsInput = {
  /** Postal address, at most 8 lines and 500 characters; null removes it. */
  billingAddress?: string | null | undefined;
  /** Name of a person or company, 1 to 200 characters; null removes it. */
  billingName?: string | null | undefined;
  /** Tax number, 1 to 50 characters; null removes it. */
  taxId?: string | null | undefined;
};

/** When collection stops. */
export type CancelWhen =
  /** Collection stops at once. The subscription becomes CANCELLED, and `accessUntil` is the end of the paid time. */
  | 'NOW'
  /** Collection stops at the due date of the next payment. The subscription is active until then. One that is PAST_DUE has not paid its period, and is cancelled at once. */
  | 'PERIOD_END';

/** Which collector it is. */
export type CollectorRole =
  /** Collects for new plans. */
  | 'CURRENT'
  /** Collects for older plans that allow only this collector. */
  | 'PREVIOUS';

/** The plan and the customer of a checkout. */
export type CreateCheckoutSessionInput = {
  /** Whether the customer may enter a code of a discount on the page; default no. */
  allowsCodes?: boolean | null | undefined;
  /** URL for a customer who cancels the checkout. */
  cancelUrl?: string | null | undefined;
  /** Email address of the customer. */
  customerEmail: string;
  /** The merchant's own id of the customer. */
  customerId?: string | null | undefined;
  /** Id of a discount that the customer gets without a code. */
  discountId?: string | null | undefined;
  /** A text of your choice that identifies this request. A repeated request with the same text returns the same session until the session expires. */
  idempotencyKey?: string | null | undefined;
  /** Wallet of the merchant, base58. If it is given, it must be the wallet that receives the money: a check against wrong configuration. */
  merchantWallet?: string | null | undefined;
  /** A JSON object of at most 8 KiB. It is part of all webhooks about the subscription. */
  metadata?: unknown;
  /** The merchant's id of an active plan. */
  planId: string;
  /** Id of one of the prices of the plan that is not retired; default: the current one. */
  priceId?: string | null | undefined;
  /** URL for the customer after the checkout; `session_id` is added to its query. */
  successUrl?: string | null | undefined;
};

/** A discount: either a part of the price, or a fixed amount. */
export type CreateDiscountInput = {
  /** Fixed amount in base units of `mint`. */
  amount?: string | null | undefined;
  /** Code that customers enter in any case: 3 to 40 characters of A to Z, digits, `-` and `_`. Without it only you give the discount. */
  code?: string | null | undefined;
  /** Until when customers get it; default: no end. */
  endsAt?: string | null | undefined;
  /** Whether only customers without an earlier subscription get the discount; default no. */
  firstPurchaseOnly?: boolean | null | undefined;
  /** Maximum redemptions of one customer, who is recognised by wallet, email and `customerId`; default: no maximum. */
  maxPerCustomer?: number | null | undefined;
  /** Maximum redemptions; default: no maximum. */
  maxRedemptions?: number | null | undefined;
  /** Mint of the fixed amount, in base58. */
  mint?: string | null | undefined;
  /** Name that customers read, in one line of 1 to 200 characters. */
  name: string;
  /** Part of the price in hundredths of a percent, from 1 to 10000. It is rounded for the customer. */
  percentBps?: number | null | undefined;
  /** Number of payments that the discount reduces, from 1 to 1000; default: all. */
  periods?: number | null | undefined;
  /** Your ids of at most 20 plans for which it is; default: all. */
  planIds?: Array<string> | null | undefined;
  /** From when customers get it; default: at once. */
  startsAt?: string | null | undefined;
};

/** The plan and the settings of a payment link. */
export type CreatePaymentLinkInput = {
  /** Whether customers may enter a code of a discount; default no. */
  allowsCodes?: boolean | null | undefined;
  /** URL for a customer who cancels the checkout. */
  cancelUrl?: string | null | undefined;
  /** A JSON object of at most 8 KiB. It is part of all webhooks about the subscriptions. */
  metadata?: unknown;
  /** Name of the link, 1 to 200 characters, which customers do not see; default the name of the plan. */
  name?: string | null | undefined;
  /** The merchant's id of a plan that is published. */
  planId: string;
  /** URL for the customer after completion; `session_id` is added to its query. */
  successUrl?: string | null | undefined;
};

/** The texts and terms of a plan. The terms never change. */
export type CreatePlanInput = {
  /** Price of one interval, in base units of the mint. */
  amount: string;
  /** Seconds after a due date within which each of its payments is first attempted, from 0 (at once, the default) to 3600, and at most a tenth of the interval. */
  collectWithinSeconds?: number | null | undefined;
  /** Text shown to customers. */
  description?: string | null | undefined;
  /** What its subscribers may use, at most 50 features; default none. */
  features?: Array<FeatureInput> | null | undefined;
  /** Seconds from the due date of a failed payment for which a subscription still gives access after its last retry, 0 to 31536000; default the setting of the environment. */
  graceSeconds?: number | null | undefined;
  /** An https URL of a picture shown to customers. */
  imageUrl?: string | null | undefined;
  /** Billing interval in seconds: 1 to 8760 whole hours. Give either this or `namedInterval`. */
  interval?: number | null | undefined;
  /** The limit: the most that can be collected in one interval, in base units of the mint; at least `amount`, which is the default. The customer's wallet shows it, and later prices of the plan are at most this much. */
  maxAmount?: string | null | undefined;
  /** The most periods for which customers may pause in the portal, from 0 (not at all, the default) to 12. */
  maxPausedPeriods?: number | null | undefined;
  /** Mint of the payment token, base58; default USDC. */
  mint?: string | null | undefined;
  /** Name shown to customers. */
  name: string;
  /** Billing interval by name. Give either this or `interval`. */
  namedInterval?: NamedInterval | null | undefined;
  /** The merchant's own id of the plan, unique among the plans of the environment. */
  planId: string;
  /** How failed payments are retried; default QUICK. */
  retryPolicy?: RetryPolicy | null | undefined;
  /** Seconds before the first payment, in whole hours; default 0. */
  trialPeriodSeconds?: number | null | undefined;
};

/** The payment to refund, and how much of it. */
export type CreateRefundInput = {
  /** Amount in base units; if it is left out, the payment less its pending and succeeded refunds. Null is refused, and so is a variable without a value. */
  amount?: string | null | undefined;
  /** A text of your choice that identifies this call, 1 to 255 characters. A repeated call with the same text returns the same refund. */
  idempotencyKey?: string | null | undefined;
  /** Id of a payment that succeeded and is finalized. */
  paymentId: string | number;
  /** Reason in your own words, 1 to 500 characters. The customer may see it. */
  reason?: string | null | undefined;
};

/** Status of a delivery. */
export type DeliveryStatus =
  /** Not sent, because the endpoint was deleted or no longer receives the event type. */
  | 'CANCELLED'
  /** All ten attempts failed. */
  | 'FAILED'
  /** Not delivered yet: the next attempt is at `nextAttemptAt`, or it waits for an earlier delivery. */
  | 'PENDING'
  /** The endpoint responded with a status of 200 to 299. */
  | 'SUCCEEDED';

/** Whether customers get a discount, or why they do not. */
export type DiscountState =
  /** `endsAt` is over. */
  | 'ENDED'
  /** `startsAt` is in the future. */
  | 'NOT_STARTED'
  /** It is switched off. */
  | 'OFF'
  /** Customers get it. */
  | 'ON'
  /** `maxRedemptions` are taken. */
  | 'USED_UP';

/** Why an endpoint was disabled. */
export type EndpointDisabledReason =
  /** All its deliveries failed for five days. */
  | 'FAILING'
  /** The endpoint responded with status 410. */
  | 'GONE'
  /** The merchant disabled it. */
  | 'MERCHANT';

/** Status of an endpoint. */
export type EndpointStatus =
  /** Deleted, but still visible in its deliveries. */
  | 'DELETED'
  /** Receives nothing. Pending deliveries wait until it is enabled. New events create no deliveries: send them later with `replayWebhooks`. */
  | 'DISABLED'
  /** Receives webhooks. */
  | 'ENABLED';

/** Whether an endpoint receives webhooks. */
export type EndpointSwitch =
  /** Receives nothing. Its pending deliveries wait until it is enabled. */
  | 'DISABLED'
  /** Receives webhooks. When a disabled endpoint is enabled, its `failingSince` and `pausedUntil` become null. */
  | 'ENABLED';

/** The Solana network that an API key works on. */
export type Environment =
  /** Mainnet; keys begin with `sk_live_`. */
  | 'LIVE'
  /** Devnet; keys begin with `sk_test_`. */
  | 'TEST';

/** Filter for events; all given conditions must match. */
export type EventFilter = {
  /** Only events at this time or later. */
  from?: string | null | undefined;
  /** Only events about the payment with this id; of those the newest 100. */
  paymentId?: string | number | null | undefined;
  /** Address of a subscription account, for the events of all subscriptions at this address; or a `lifeId`, for those of one subscription. */
  subscriptionId?: string | number | null | undefined;
  /** Only events before this time. */
  to?: string | null | undefined;
  /** Only events of this type. */
  type?: string | null | undefined;
};

/** Why a payer could not pay. */
export type FailureCode =
  /** The token account of the payer is closed. */
  | 'ACCOUNT_CLOSED'
  /** The issuer of the token has frozen the token account of the payer. */
  | 'ACCOUNT_FROZEN'
  /** The payer's approval was revoked, or replaced by the approval of another app. */
  | 'APPROVAL_REVOKED'
  /** The token account of the payer holds less than the price. */
  | 'INSUFFICIENT_FUNDS';

/** Something that a plan's subscribers may use. */
export type FeatureInput = {
  /** 1 to 40 characters: lower-case letters, digits, and after the first one also `_`, `.` and `-`. */
  key: string;
  /** A whole number from 0, like the number of seats; null for a feature without a limit. */
  limit?: number | null | undefined;
};

/** Status of a mail. */
export type MailStatus =
  /** Not sent, because what it says was no longer true. */
  | 'DROPPED'
  /** The mail server refused it, or it could not be sent in time. */
  | 'FAILED'
  /** Not sent yet, or the mail server could not take it yet. */
  | 'QUEUED'
  /** The mail server has taken it. */
  | 'SENT';

/** A kind of mail that the service sends for a merchant. */
export type MailTemplate =
  /** To the customer: the subscription is cancelled, and until when access lasts. */
  | 'CANCELLED'
  /** To the merchant: a webhook endpoint was disabled. */
  | 'ENDPOINT_DISABLED'
  /** To the merchant: a webhook endpoint has failed for an hour. */
  | 'ENDPOINT_FAILING'
  /** To the customer: the subscription ended because payments failed, and how to come back. */
  | 'EXPIRED'
  /** To the merchant: the issuer of a plan's token begins to keep a part of each transfer in a few days. */
  | 'FEE_SCHEDULED'
  /** To the merchant: the first payment was received. */
  | 'FIRST_SALE'
  /** To the customer: the subscription is paused, and until when. */
  | 'PAUSED'
  /** To the customer: the first payment after a pause is a few days away. */
  | 'PAUSE_ENDS'
  /** To the customer: a payment failed, what is missing and by when. Sent at the first failure of a payment, and once when it waits for a top-up. */
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
  /** May do everything except change the profile and the team. */
  | 'DEVELOPER'
  /** May do everything. */
  | 'OWNER'
  /** May read data and receive live updates, but change nothing. */
  | 'READ_ONLY';

/** The fields to change; others stay unchanged. */
export type MerchantProfileInput = {
  /** Colour of buttons and links on the pages and in the mails for customers, as `#rrggbb`; null for the default colour. Links are darkened on light pages, and lightened on dark pages, until they can be read. */
  brandColor?: string | null | undefined;
  /** Name shown to customers, 1 to 200 characters. */
  companyName?: string | null | undefined;
  /** Name of the seller on later receipts, 1 to 200 characters; null removes it. */
  legalName?: string | null | undefined;
  /** URL of the logo, with https; null removes it. */
  logoUrl?: string | null | undefined;
  /** Postal address on later receipts, at most 8 lines and 500 characters; null removes it. */
  postalAddress?: string | null | undefined;
  /** Email address for customers who need help; null removes it. */
  supportEmail?: string | null | undefined;
  /** Tax number on later receipts, 1 to 50 characters; null removes it. */
  taxId?: string | null | undefined;
};

/** How well dues follows the cluster. */
export type MirrorState =
  /** dues has not applied the changes of the last minutes yet. */
  | 'BEHIND'
  /** dues may have missed a change and is checking. */
  | 'CHECKING'
  /** dues is up to date with the cluster. */
  | 'FOLLOWING'
  /** dues has not seen a block of the cluster yet. */
  | 'NEVER'
  /** dues has seen no block for a minute. */
  | 'SILENT';

/** An interval of a plan with a name. Twelve months are exactly a year. */
export type NamedInterval =
  /** 730 hours, 2628000 seconds. */
  | 'MONTH'
  /** 2190 hours, 7884000 seconds. */
  | 'QUARTER'
  /** 8760 hours, 31536000 seconds, which is 365 days. */
  | 'YEAR';

/** One of the first steps of a new merchant. */
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

/** Filter for payments; all given conditions must match. */
export type PaymentFilter = {
  /** Only payments of customers with this email (ignoring case) or this `customerId`. */
  customer?: string | null | undefined;
  /** Only payments whose last failed attempt failed for this reason, including payments that were collected later. */
  failureCode?: FailureCode | null | undefined;
  /** Only payments created at this time or later. */
  from?: string | null | undefined;
  /** Only payments for the plan with this `planId`. */
  planId?: string | null | undefined;
  /** Only payments that the transaction with this signature collected or attempted to collect. Base58. */
  signature?: string | null | undefined;
  /** Only payments in this status. */
  status?: PaymentStatus | null | undefined;
  /** Address of a subscription account, for the payments of all subscriptions at this address; or a `lifeId`, for those of one subscription. */
  subscriptionId?: string | number | null | undefined;
  /** Only payments created before this time. */
  to?: string | null | undefined;
};

/** What a line of a payment is for. */
export type PaymentLineKind =
  /** What a discount takes off; below 0. */
  | 'DISCOUNT'
  /** An amount that the plan's owner collected although nothing was owed. */
  | 'EXTRA'
  /** The plan's price for one period. */
  | 'FLAT'
  /** A kind of a later release that runs beside this one. */
  | 'OTHER'
  /** What does not fit into the limit of the period on chain; below 0. */
  | 'OVER_LIMIT';

/** Status of one billing period's payment. */
export type PaymentStatus =
  /** Not collected yet. */
  | 'DUE'
  /** Not collected, because the subscription expired or was cancelled first. */
  | 'FAILED'
  /** The period ended unpaid; the payment is never collected later. */
  | 'MISSED'
  /** The transfer has landed on chain. */
  | 'SUCCEEDED'
  /** Nothing is collected for it: `waivedReason` says why. */
  | 'WAIVED';

/** Why a plan's payments cannot be collected. As long as the problem lasts, no customer is charged and no failure is counted. */
export type PlanProblem =
  /** Transfers of the token now call a program of its issuer (a transfer hook), which dues does not support. Ask the issuer of the token, or move the customers to a plan in another token. */
  | 'MINT_HAS_HOOK'
  /** The issuer of the token has stopped all transfers. Payments are collected again when the issuer resumes them. */
  | 'MINT_PAUSED'
  /** The token now has a transfer fee, so payments would not arrive in full. Ask the issuer of the token, or move the customers to a plan in another token. */
  | 'MINT_TAKES_FEE'
  /** The account of the plan was not found on chain. */
  | 'NOT_FOUND'
  /** The plan no longer allows dues to collect: the collector is not among the pullers on chain. `repairPlanTransaction` adds it again. */
  | 'NOT_OUR_PLAN_TO_PULL'
  /** The plan on chain does not pay to the merchant's wallet. */
  | 'OTHER_DESTINATION'
  /** The merchant's token account accepts only confidential transfers: allow other transfers again. */
  | 'RECEIVER_CONFIDENTIAL'
  /** The merchant's token account is frozen: ask the issuer of the token. */
  | 'RECEIVER_FROZEN'
  /** The merchant's token account was closed after dues had created it again once. Create it with `receivingAccountsTransaction`, or by a transfer of the token to the merchant's wallet. */
  | 'RECEIVER_MISSING'
  /** The merchant's token account requires a memo with every transfer: switch that off. */
  | 'RECEIVER_REQUIRES_MEMO'
  /** The merchant's token account could not be read. */
  | 'RECEIVER_UNREADABLE'
  /** The account of the plan on chain could not be read. */
  | 'UNREADABLE';

/** Status of a plan. */
export type PlanStatus =
  /** Published, and open to new customers. */
  | 'ACTIVE'
  /** Not published yet: no account of the plan was seen on chain. Sign and send the transaction of `createPlan`. */
  | 'DRAFT'
  /** Closed to new customers: the plan is sunset or has ended on chain. */
  | 'INACTIVE';

/** Filter for receipts; all given conditions must match. */
export type ReceiptFilter = {
  /** Only receipts of customers with this email (ignoring case) or this `customerId`. */
  customer?: string | null | undefined;
  /** Only receipts issued at this time or later. */
  from?: string | null | undefined;
  /** Only the receipt with this number. */
  number?: number | null | undefined;
  /** Address of a subscription account, for the receipts of all subscriptions at this address; or a `lifeId`, for those of one subscription. */
  subscriptionId?: string | number | null | undefined;
  /** Only receipts issued before this time. */
  to?: string | null | undefined;
};

/** Whether a token account of the merchant can receive payments. */
export type ReceivingAccountState =
  /** It accepts only confidential transfers. Its owner can change that. */
  | 'CONFIDENTIAL'
  /** It is frozen: ask the issuer of the token. */
  | 'FROZEN'
  /** Its owner lets another account close it. Remove that authority. */
  | 'HAS_CLOSE_AUTHORITY'
  /** Its owner lets another account spend its tokens. Revoke that. */
  | 'HAS_DELEGATE'
  /** It does not exist: `receivingAccountsTransaction` creates it. */
  | 'MISSING'
  /** It belongs to another wallet now. */
  | 'OTHER_OWNER'
  /** It can receive payments. */
  | 'READY'
  /** It accepts only transfers with a memo. Its owner can change that. */
  | 'REQUIRES_MEMO'
  /** It cannot be read as an account of this token. */
  | 'UNREADABLE';

/** Status of one use of a discount. */
export type RedemptionStatus =
  /** A subscription has, or had, the discount. */
  | 'REDEEMED'
  /** The checkout was left, or its customer removed the discount. */
  | 'RELEASED'
  /** A checkout holds it: its wallet got transactions to sign. */
  | 'RESERVED';

/** Status of a refund. */
export type RefundStatus =
  /** You cancelled the refund. If its transfer lands nevertheless, the refund succeeds. */
  | 'CANCELLED'
  /** Not sent within seven days. If its transfer lands within seven more days, the refund succeeds. */
  | 'EXPIRED'
  /** Waits for your wallet to send it, or was sent and is not finalized yet. */
  | 'PENDING'
  /** Its transfer is finalized on chain. */
  | 'SUCCEEDED';

/** An endpoint, and the events to send to it again. */
export type ReplayWebhooksInput = {
  /** Id of the endpoint to which the events are sent. */
  endpointId: string | number;
  /** Only these event types; default all that the endpoint receives. */
  eventTypes?: Array<string> | null | undefined;
  /** Only events at this time or later. */
  from: string;
  /** Only events with these outcomes; default FAILED and NOT_SENT. */
  results?: Array<WebhookResult> | null | undefined;
  /** Only events before this time. */
  to: string;
};

/** How failed payments of a plan are retried. */
export type RetryPolicy =
  /** After 1 hour, and then 6 hours, 1 day, 3 days and 5 days later. After the sixth failure the subscription expires. It needs 224 hours from a due date to the end of the period. */
  | 'DAYS'
  /** As the settings of the environment say: by default after 1 and 5 minutes. After the last failure the subscription expires. */
  | 'QUICK'
  /** As QUICK, but the subscription does not expire: after the last failure it stays PAST_DUE, and its access ends with the grace. It is collected when the wallet is topped up before the period of the payment ends. Each later payment is tried once, when it is due. After a trial there may be a time between the two, in which nothing can be paid. */
  | 'UNTIL_PAID';

/** Kind of object that a search found. */
export type SearchKind =
  /** An API key, which `apiKeys` lists. */
  | 'API_KEY'
  /** A checkout session: read it with `checkoutSession(id)`. */
  | 'CHECKOUT_SESSION'
  /** A customer: read it with `customer(id)`. */
  | 'CUSTOMER'
  /** A discount: read it with `discount(id)`. */
  | 'DISCOUNT'
  /** An event: read it with `event(id)`. */
  | 'EVENT'
  /** A payment: read it with `payment(id)`. */
  | 'PAYMENT'
  /** A plan: read it with `plan(planId)`. */
  | 'PLAN'
  /** A receipt: read it with `receipt(number)`. */
  | 'RECEIPT'
  /** A subscription: read it with `subscription(id)`. */
  | 'SUBSCRIPTION'
  /** A webhook delivery: read it with `webhookDelivery(id)`. */
  | 'WEBHOOK_DELIVERY'
  /** A webhook endpoint: read it with `webhookEndpoint(id)`. */
  | 'WEBHOOK_ENDPOINT';

/** The output of a wallet’s `solana:signIn` feature. */
export type SignInOutput = {
  /** Address of the account that signed: `account.address`, base58. */
  address: string;
  /** The 64 bytes of the signature: `signature`, in base64. */
  signature: string;
  /** Bytes that were signed: `signedMessage`, in base64. */
  signedMessage: string;
};

/** Filter for subscriptions; all given conditions must match. */
export type SubscriptionFilter = {
  /** True lists only subscriptions that the merchant cancels at the end of the period, including those that have already ended that way; false lists only the others. */
  cancelAtPeriodEnd?: boolean | null | undefined;
  /** Only subscriptions of customers with this email (ignoring case) or this `customerId`. */
  customer?: string | null | undefined;
  /** Only PAST_DUE subscriptions whose open payment last failed for this reason. */
  failureCode?: FailureCode | null | undefined;
  /** Only subscriptions created at this time or later. */
  from?: string | null | undefined;
  /** Only subscriptions whose next payment is due at this time or later. */
  nextPaymentFrom?: string | null | undefined;
  /** Only subscriptions whose next payment is due before this time. */
  nextPaymentTo?: string | null | undefined;
  /** Only subscriptions to the plan with this `planId`. */
  planId?: string | null | undefined;
  /** Only subscriptions where one of these equals the text: email, merchant's id of the customer, wallet, address of the subscription, `lifeId`. */
  search?: string | null | undefined;
  /** Only subscriptions in this status. */
  status?: SubscriptionStatus | null | undefined;
  /** Only subscriptions in one of these statuses. */
  statuses?: Array<SubscriptionStatus> | null | undefined;
  /** Only subscriptions created before this time. */
  to?: string | null | undefined;
  /** Only subscriptions paid by this wallet. Base58. */
  walletAddress?: string | null | undefined;
};

/** The order of a list of subscriptions. */
export type SubscriptionOrder =
  /** Newest first. */
  | 'CREATED'
  /** By the due date of the next or overdue payment, earliest first. Subscriptions without such a payment are left out. */
  | 'NEXT_PAYMENT';

/** Status of a subscription. Use it to decide whether the customer has access. */
export type SubscriptionStatus =
  /** Payments are collected: give the customer access. */
  | 'ACTIVE'
  /** The customer is never charged again: revoke access, at `accessUntil` if that is set, otherwise at once. */
  | 'CANCELLED'
  /** Collection failed too many times in a row: revoke access and offer a new subscription. */
  | 'EXPIRED'
  /** A payment failed and will be retried: keep access and show a warning. */
  | 'PAST_DUE';

/** The fields to change; others stay unchanged. */
export type UpdateDiscountInput = {
  /** Until when customers get it; null for no end. */
  endsAt?: string | null | undefined;
  /** Whether customers get the discount. */
  isActive?: boolean | null | undefined;
  /** Maximum redemptions of one customer; null for no maximum. */
  maxPerCustomer?: number | null | undefined;
  /** Maximum redemptions; null for no maximum. */
  maxRedemptions?: number | null | undefined;
  /** Name that customers read, in one line of 1 to 200 characters. */
  name?: string | null | undefined;
};

/** The settings to change; others stay unchanged. */
export type UpdateMailSettingsInput = {
  /** An email address for the mails to the merchant; null removes it. */
  merchantEmail?: string | null | undefined;
  /** Days before a renewal at which customers are reminded of it, 1 to 30. */
  reminderDays?: number | null | undefined;
  /** All mails to switch on; the others are switched off. PORTAL_LINK is always on and must not be listed. */
  templates?: Array<MailTemplate> | null | undefined;
};

/** The fields to change; others stay unchanged. */
export type UpdatePlanInput = {
  /** Seconds after a due date within which each of its payments is first attempted, from 0 (at once) to 3600, and at most a tenth of the interval. It applies to due dates that are set later, after the next payment of a running subscription. */
  collectWithinSeconds?: number | null | undefined;
  /** Text shown to customers, at most 2000 characters; null removes it. */
  description?: string | null | undefined;
  /** All features of the plan, at most 50. They reach its running subscribers at once; `previewFeatures` says how many. */
  features?: Array<FeatureInput> | null | undefined;
  /** Seconds from the due date of a failed payment for which a subscription still gives access after its last retry, 0 to 31536000; null for the setting of the environment. It applies to payments that fail for the last time later. */
  graceSeconds?: number | null | undefined;
  /** URL of a picture shown to customers, with https; null removes it. */
  imageUrl?: string | null | undefined;
  /** The most periods for which customers may pause in the portal, from 0 (not at all) to 12. */
  maxPausedPeriods?: number | null | undefined;
  /** Name shown to customers, 1 to 200 characters. */
  name?: string | null | undefined;
  /** How failed payments are retried. It applies from the next failure on. */
  retryPolicy?: RetryPolicy | null | undefined;
};

/** The settings to change; others stay unchanged. */
export type UpdateSettingsInput = {
  /** Seconds from the due date of a failed payment for which a subscription still gives access after its last retry, 0 to 31536000. It applies to payments that fail for the last time later. */
  graceSeconds?: number | null | undefined;
  /** Number of consecutive failed attempts after which a subscription expires, 1 to 20. */
  maxFailures?: number | null | undefined;
  /** At most 50 origins (`https://shop.example`) or path prefixes (`https://shop.example/billing`), without a query. An empty list allows any URL. */
  redirectUrlsAllowed?: Array<string> | null | undefined;
  /** Seconds to wait before each retry: 1 to 20 values of 1 second to 30 days each; the last value repeats. */
  retryDelaysSeconds?: Array<number> | null | undefined;
  /** Maximum lamports that the service pays for customers within 24 hours, at most 10000000000. */
  sponsoredLamportsPerDay?: string | null | undefined;
  /** Whether the service pays the network fee and deposits of customers without SOL. */
  sponsorsCustomers?: boolean | null | undefined;
};

/** The fields to change; others stay unchanged. */
export type UpdateWebhookEndpointInput = {
  /** A note about the endpoint, at most 500 characters; null removes it. */
  description?: string | null | undefined;
  /** Event types that the endpoint receives; an empty list means all. */
  eventTypes?: Array<string> | null | undefined;
  /** Maximum webhooks that wait for a response of the endpoint at the same time, 1 to 256. */
  maxConcurrency?: number | null | undefined;
  /** Maximum webhooks per second, 1 to 1000; null means no limit. */
  maxPerSecond?: number | null | undefined;
  /** Enables or disables the endpoint. */
  status?: EndpointSwitch | null | undefined;
  /** URL that receives the webhooks: public, and https in LIVE. */
  url?: string | null | undefined;
};

/** Filter for deliveries; all given conditions must match. */
export type WebhookDeliveryFilter = {
  /** Only deliveries to this endpoint. */
  endpointId?: string | number | null | undefined;
  /** Only deliveries of this event. */
  eventId?: string | number | null | undefined;
  /** Only deliveries of events of this type. */
  eventType?: string | null | undefined;
  /** Only deliveries created at this time or later. */
  from?: string | null | undefined;
  /** Only deliveries in this status. */
  status?: DeliveryStatus | null | undefined;
  /** Only deliveries whose last response had this HTTP status. */
  statusCode?: number | null | undefined;
  /** Address of a subscription account, for deliveries about all subscriptions at this address; or a `lifeId`, for those about one subscription. */
  subscriptionId?: string | number | null | undefined;
  /** Only deliveries created before this time. */
  to?: string | null | undefined;
};

/** Outcome of the delivery of an event to an endpoint. */
export type WebhookResult =
  /** The delivery was cancelled, because the endpoint no longer received the event type. */
  | 'CANCELLED'
  /** The last attempt failed. */
  | 'FAILED'
  /** There is no delivery: at that time the endpoint was disabled, did not exist yet or did not receive the event type, or the delivery was removed after 90 days. Events without a subscription are left out. */
  | 'NOT_SENT'
  /** The event was delivered. */
  | 'SUCCEEDED';

export type AuditActorsQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditActorsQuery = { members: { edges: Array<{ node: { id: string, name: string | null, walletAddress: string } }> }, apiKeys: { edges: Array<{ node: { id: string, name: string, lastFour: string } }> } };

export type AuditPageQueryVariables = Exact<{
  filter?: AuditLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditPageQuery = { auditLog: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, action: string, actor: AuditActor, actorId: string | null, actorName: string | null, changes: unknown, createdAt: string, environment: Environment | null, ipAddress: string | null, requestId: string | null, targetId: string, userAgent: string | null } }> } };

export type CustomerAccessQueryVariables = Exact<{
  customerId: string;
}>;


export type CustomerAccessQuery = { customerState: { hasAccess: boolean, features: Array<{ key: string, limit: number | null }>, subscriptions: Array<{ subscriptionId: string, planId: string, hasAccess: boolean, until: string | null, reason: AccessReason, startedAt: string }> } };

export type UpdateBillingDetailsMutationVariables = Exact<{
  id: string | number;
  input: BillingDetailsInput;
}>;


export type UpdateBillingDetailsMutation = { updateBillingDetails: { id: string } };

export type UpdateCustomerEmailMutationVariables = Exact<{
  id: string | number;
  email: string;
}>;


export type UpdateCustomerEmailMutation = { updateCustomer: { id: string } };

export type CustomerPageQueryVariables = Exact<{
  id: string | number;
}>;


export type CustomerPageQuery = { customer: { id: string, email: string, customerId: string | null, walletAddress: string, createdAt: string, billingName: string | null, billingAddress: string | null, taxId: string | null, totalPaid: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }>, nextCharge: { at: string, amount: { mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } } } | null, payments: { totalCount: number, edges: Array<{ node: { id: string, status: PaymentStatus, amount: string, paidAmount: string | null, refundedAmount: string, dueAt: string, failureCode: FailureCode | null, subscription: { plan: { name: string, mint: string, asset: { mint: string, symbol: string | null, decimals: number | null } } } } }> }, subscriptions: { totalCount: number, edges: Array<{ node: { lifeId: string, status: SubscriptionStatus, createdAt: string, nextPaymentAt: string | null, nextAmount: string, paymentCount: number, plan: { name: string, mint: string, interval: number, asset: { mint: string, symbol: string | null, decimals: number | null } } } }> } } | null };

export type CustomerRowsQueryVariables = Exact<{
  search?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type CustomerRowsQuery = { customers: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, email: string, customerId: string | null, walletAddress: string, createdAt: string } }> } };

export type DeliveryPageQueryVariables = Exact<{
  id: string | number;
}>;


export type DeliveryPageQuery = { webhookDelivery: { id: string, status: DeliveryStatus, createdAt: string, nextAttemptAt: string | null, isReplay: boolean, body: unknown, attempts: Array<{ number: number, startedAt: string, durationMs: number | null, statusCode: number | null, error: string | null, responseBody: string | null, requestHeaders: Array<{ name: string, value: string }> | null }>, event: { id: string, type: string, subscription: { lifeId: string, customer: { email: string } } | null }, endpoint: { id: string, url: string, status: EndpointStatus } } | null };

export type ResendDeliveryMutationVariables = Exact<{
  id: string | number;
}>;


export type ResendDeliveryMutation = { resendWebhook: { id: string } };

export type PlansToDiscountQueryVariables = Exact<{ [key: string]: never; }>;


export type PlansToDiscountQuery = { plans: { edges: Array<{ node: { planId: string, name: string, amount: string, maxAmount: string, mint: string, interval: number, asset: { mint: string, symbol: string | null, decimals: number | null } } }> } };

export type CreateDiscountMutationVariables = Exact<{
  input: CreateDiscountInput;
}>;


export type CreateDiscountMutation = { createDiscount: { id: string, name: string } };

export type DiscountPageQueryVariables = Exact<{
  id: string | number;
}>;


export type DiscountPageQuery = { discount: { id: string, name: string, code: string | null, percentBps: number | null, amount: string | null, periods: number | null, maxRedemptions: number | null, maxPerCustomer: number | null, firstPurchaseOnly: boolean, startsAt: string | null, endsAt: string | null, isActive: boolean, state: DiscountState, taken: number, createdAt: string, asset: { mint: string, symbol: string | null, decimals: number | null } | null, plans: Array<{ planId: string, name: string }> } | null };

export type UpdateDiscountMutationVariables = Exact<{
  id: string | number;
  input: UpdateDiscountInput;
}>;


export type UpdateDiscountMutation = { updateDiscount: { id: string, isActive: boolean } };

export type DiscountUsesQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DiscountUsesQuery = { discount: { redemptions: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, status: RedemptionStatus, createdAt: string, subscription: { lifeId: string, customer: { email: string }, plan: { name: string } } | null } }> } } | null };

export type DiscountRowsQueryVariables = Exact<{
  isActive?: boolean | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DiscountRowsQuery = { discounts: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, code: string | null, percentBps: number | null, amount: string | null, periods: number | null, maxRedemptions: number | null, taken: number, state: DiscountState, startsAt: string | null, endsAt: string | null, asset: { mint: string, symbol: string | null, decimals: number | null } | null, plans: Array<{ planId: string, name: string }> } }> } };

export type EventPageQueryVariables = Exact<{
  id: string | number;
}>;


export type EventPageQuery = { event: { id: string, type: string, createdAt: string, sequence: number | null, data: unknown, subscription: { lifeId: string, customer: { email: string } } | null, deliveries: Array<{ id: string, status: DeliveryStatus, attemptCount: number, endpoint: { url: string, status: EndpointStatus } }> } | null };

export type ResendEventMutationVariables = Exact<{
  id: string | number;
}>;


export type ResendEventMutation = { resendEvent: { id: string } };

export type EventRowsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type EventRowsQuery = { events: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, type: string, createdAt: string, sequence: number | null, data: unknown } }> } };

export type TriggerSampleMutationVariables = Exact<{
  type: string;
}>;


export type TriggerSampleMutation = { triggerEvent: { id: string } };

export type HealthPageQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthPageQuery = { serviceHealth: { checkedAt: string, collectors: Array<{ environment: Environment, role: CollectorRole, address: string, lamports: string, daysLeft: number | null, canPay: boolean }> | null, mirror: { state: MirrorState, slotsBehind: number | null, silentSeconds: number | null, doubt: string | null } } };

export type CreateKeyMutationVariables = Exact<{
  name: string;
  scopes?: Array<ApiKeyScope> | ApiKeyScope | null | undefined;
  expiresAt?: string | null | undefined;
}>;


export type CreateKeyMutation = { createApiKey: { apiKey: string } };

export type ApiKeyRowsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ApiKeyRowsQuery = { apiKeys: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, prefix: string, lastFour: string, scopes: Array<ApiKeyScope>, isValid: boolean, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null, replacedBy: { id: string, name: string, lastFour: string } | null } }> } };

export type RevokeKeyMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeKeyMutation = { revokeApiKey: { id: string } };

export type RotateKeyMutationVariables = Exact<{
  id: string | number;
  overlapSeconds?: number | null | undefined;
}>;


export type RotateKeyMutation = { rotateApiKey: { apiKey: string } };

export type PlansToLinkQueryVariables = Exact<{ [key: string]: never; }>;


export type PlansToLinkQuery = { plans: { edges: Array<{ node: { planId: string, name: string } }> } };

export type CreateLinkMutationVariables = Exact<{
  input: CreatePaymentLinkInput;
}>;


export type CreateLinkMutation = { createPaymentLink: { id: string, url: string, qrSvgUrl: string, qrPngUrl: string, embedScriptUrl: string, name: string, plan: { name: string } } };

export type PaymentLinkRowsQueryVariables = Exact<{
  planId?: string | null | undefined;
  active?: boolean | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PaymentLinkRowsQuery = { paymentLinks: { pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, url: string, qrSvgUrl: string, qrPngUrl: string, embedScriptUrl: string, name: string, active: boolean, allowsCodes: boolean, openedCount: number, completedCount: number, createdAt: string, plan: { planId: string, name: string } } }> } };

export type SwitchPaymentLinkMutationVariables = Exact<{
  id: string | number;
  active: boolean;
}>;


export type SwitchPaymentLinkMutation = { updatePaymentLink: { id: string, active: boolean } };

export type DismissOnboardingMutationVariables = Exact<{ [key: string]: never; }>;


export type DismissOnboardingMutation = { dismissOnboarding: { dismissedAt: string | null } };

export type SoldPlanQueryVariables = Exact<{ [key: string]: never; }>;


export type SoldPlanQuery = { plans: { edges: Array<{ node: { planId: string } }> } };

export type OnboardingStepsQueryVariables = Exact<{ [key: string]: never; }>;


export type OnboardingStepsQuery = { onboarding: { dismissedAt: string | null, steps: Array<{ step: OnboardingStepKind, doneAt: string | null }> } };

export type CheckoutConversionQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type CheckoutConversionQuery = { checkoutConversion: Array<{ day: string, created: number, completed: number, expired: number }> };

export type LatestEventsQueryVariables = Exact<{ [key: string]: never; }>;


export type LatestEventsQuery = { events: { edges: Array<{ node: { id: string, type: string, createdAt: string, data: unknown } }> } };

export type MetricsOverviewQueryVariables = Exact<{
  from: string;
  to: string;
  planId?: string | null | undefined;
}>;


export type MetricsOverviewQuery = { metrics: { days: Array<{ day: string, active: number, pastDue: number, new: number, resumed: number, churned: number, failed: number, mrr: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }>, mrrMovement: Array<{ mint: string, new: string, reactivation: string, expansion: string, contraction: string, churn: string, moved: string }>, collected: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }>, failedByCode: Array<{ code: FailureCode, count: number }> }>, total: { new: number, churnRate: number | null, failed: number, recovered: number, expired: number, collected: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }>, refunded: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }>, recoveredAmount: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }> }, previous: { days: Array<{ active: number, pastDue: number, new: number, mrr: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }>, collected: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }> }>, total: { new: number, churnRate: number | null, failed: number, collected: Array<{ mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } }> } } } };

export type ProblemsQueryVariables = Exact<{ [key: string]: never; }>;


export type ProblemsQuery = { plans: { edges: Array<{ node: { planId: string, name: string, problem: PlanProblem | null } }> }, webhookEndpoints: { edges: Array<{ node: { id: string, url: string, status: EndpointStatus, failingSince: string | null, disabledReason: EndpointDisabledReason | null } }> } };

export type HealthProblemsQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthProblemsQuery = { serviceHealth: { collectors: Array<{ role: CollectorRole, canPay: boolean, daysLeft: number | null }> | null, mirror: { state: MirrorState } } };

export type UpcomingChargesQueryVariables = Exact<{
  until: string;
}>;


export type UpcomingChargesQuery = { upcomingCharges: Array<{ day: string, count: number, amount: { mint: string, amount: string, asset: { mint: string, symbol: string | null, decimals: number | null } } }> };

export type UpcomingShortQueryVariables = Exact<{
  until: string;
}>;


export type UpcomingShortQuery = { upcomingCharges: Array<{ day: string, short: number, shortChecked: number }> };

export type NextPaymentQueryVariables = Exact<{ [key: string]: never; }>;


export type NextPaymentQuery = { subscriptionsConnection: { edges: Array<{ node: { nextPaymentAt: string | null } }> } };

export type CreateRefundMutationVariables = Exact<{
  input: CreateRefundInput;
}>;


export type CreateRefundMutation = { createRefund: { id: string } };

export type PaymentPageQueryVariables = Exact<{
  id: string | number;
}>;


export type PaymentPageQuery = { payment: { id: string, status: PaymentStatus, amount: string, paidAmount: string | null, number: number | null, dueAt: string, periodEnd: string, paidAt: string | null, finalized: boolean, collectedByUs: boolean, feeLamports: string | null, signature: string | null, refundedAmount: string, excessRefundedAmount: string, refundableAmount: string, lines: Array<{ kind: PaymentLineKind, text: string, amount: string }>, refunds: Array<{ id: string, status: RefundStatus, amount: string, reason: string | null, signature: string | null, solanaPayUrl: string | null, inFlight: boolean, sentSignature: string | null, createdAt: string, excess: Array<{ signature: string, amount: string }> }>, receipt: { number: number, url: string } | null, attempts: Array<{ status: AttemptStatus, createdAt: string, settledAt: string | null, failureCode: FailureCode | null, amountRequired: string | null, balanceAvailable: string | null }>, mails: Array<{ id: string, template: MailTemplate, recipient: string, status: MailStatus, error: string | null, createdAt: string, sentAt: string | null }>, customer: { id: string, email: string }, subscription: { lifeId: string, walletAddress: string, plan: { planId: string, name: string, mint: string, merchant: { walletAddress: string }, asset: { mint: string, symbol: string | null, decimals: number | null } } } } | null, events: { totalCount: number, edges: Array<{ node: { id: string, type: string, createdAt: string, deliveries: Array<{ id: string, status: DeliveryStatus, lastStatusCode: number | null, endpoint: { url: string } }> } }> } };

export type RefundTransactionMutationVariables = Exact<{
  id: string | number;
}>;


export type RefundTransactionMutation = { refundTransaction: { transaction: string } };

export type RefundInFlightQueryVariables = Exact<{
  id: string | number;
}>;


export type RefundInFlightQuery = { refund: { status: RefundStatus, inFlight: boolean } | null };

export type CancelRefundMutationVariables = Exact<{
  id: string | number;
}>;


export type CancelRefundMutation = { cancelRefund: { id: string } };

export type PaymentRowsQueryVariables = Exact<{
  filter?: PaymentFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PaymentRowsQuery = { payments: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, status: PaymentStatus, amount: string, paidAmount: string | null, refundedAmount: string, dueAt: string, paidAt: string | null, signature: string | null, failureCode: FailureCode | null, subscription: { customer: { email: string }, plan: { name: string, mint: string, asset: { mint: string, symbol: string | null, decimals: number | null } } } } }> } };

export type PlanAssetsQueryVariables = Exact<{ [key: string]: never; }>;


export type PlanAssetsQuery = { assets: Array<{ mint: string, symbol: string | null, name: string | null, decimals: number | null, isDefault: boolean }>, plans: { totalCount: number }, settings: { graceSeconds: number } };

export type CreatePlanDraftMutationVariables = Exact<{
  input: CreatePlanInput;
}>;


export type CreatePlanDraftMutation = { createPlan: { plan: { planId: string, name: string } } };

export type RepairPlanMutationVariables = Exact<{
  planId: string;
}>;


export type RepairPlanMutation = { repairPlanTransaction: { transaction: string } };

export type DeletePlanAccountMutationVariables = Exact<{
  planId: string;
}>;


export type DeletePlanAccountMutation = { deletePlanTransaction: { transaction: string } };

export type ClosePlanMutationVariables = Exact<{
  planId: string;
  endsAt: string;
}>;


export type ClosePlanMutation = { sunsetPlanTransaction: { transaction: string } };

export type DeletePlanDraftMutationVariables = Exact<{
  planId: string;
}>;


export type DeletePlanDraftMutation = { deletePlanDraft: string };

export type PreviewFeaturesQueryVariables = Exact<{
  planId: string;
  features: Array<FeatureInput> | FeatureInput;
}>;


export type PreviewFeaturesQuery = { previewFeatures: { added: Array<string>, removed: Array<string>, changed: Array<string>, subscriptionCount: number } };

export type PlanDetailQueryVariables = Exact<{
  planId: string;
}>;


export type PlanDetailQuery = { plan: { planId: string, name: string, description: string | null, imageUrl: string | null, maxPausedPeriods: number, address: string, amount: string, maxAmount: string, mint: string, interval: number, trialPeriodSeconds: number, status: PlanStatus, problem: PlanProblem | null, revenue: string, paymentCount: number, createdAt: string, publishedAt: string | null, endsAt: string | null, graceSeconds: number | null, retryPolicy: RetryPolicy, collectWithinSeconds: number, prices: Array<{ id: string, version: number, amount: string, createdAt: string, retiredAt: string | null }>, asset: { mint: string, symbol: string | null, name: string | null, decimals: number | null }, features: Array<{ key: string, limit: number | null }>, subscribers: { active: number, pastDue: number, cancelled: number, expired: number }, merchant: { walletAddress: string } } | null, settings: { graceSeconds: number } };

export type UpdatePlanMutationVariables = Exact<{
  planId: string;
  input: UpdatePlanInput;
}>;


export type UpdatePlanMutation = { updatePlan: { planId: string } };

export type PlanFollowedSubscriptionVariables = Exact<{
  planId: string;
}>;


export type PlanFollowedSubscription = { planUpdated: { status: PlanStatus, problem: PlanProblem | null, endsAt: string | null, name: string, description: string | null, imageUrl: string | null } };

export type CreatePriceMutationVariables = Exact<{
  planId: string;
  amount: string;
}>;


export type CreatePriceMutation = { createPrice: { version: number } };

export type RetirePriceMutationVariables = Exact<{
  priceId: string | number;
}>;


export type RetirePriceMutation = { retirePrice: { version: number } };

export type PublishPlanMutationVariables = Exact<{
  planId: string;
}>;


export type PublishPlanMutation = { publishPlanTransaction: { transaction: string } };

export type LinkOfPlanQueryVariables = Exact<{
  planId: string;
}>;


export type LinkOfPlanQuery = { paymentLinks: { edges: Array<{ node: { id: string, url: string, qrSvgUrl: string, qrPngUrl: string, embedScriptUrl: string, plan: { name: string } } }> } };

export type CreateLinkOfPlanMutationVariables = Exact<{
  planId: string;
}>;


export type CreateLinkOfPlanMutation = { createPaymentLink: { id: string } };

export type OpenTestCheckoutMutationVariables = Exact<{
  input: CreateCheckoutSessionInput;
}>;


export type OpenTestCheckoutMutation = { createCheckoutSession: { url: string } };

export type PlanRowsQueryVariables = Exact<{
  status?: PlanStatus | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PlanRowsQuery = { plans: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { planId: string, name: string, amount: string, mint: string, interval: number, trialPeriodSeconds: number, status: PlanStatus, problem: PlanProblem | null, revenue: string, publishedAt: string | null, endsAt: string | null, asset: { mint: string, symbol: string | null, decimals: number | null }, subscribers: { active: number, pastDue: number } } }> } };

export type PlanRowUpdatedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type PlanRowUpdatedSubscription = { planUpdated: { planId: string } };

export type ReceiptRowsQueryVariables = Exact<{
  filter?: ReceiptFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ReceiptRowsQuery = { receipts: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { number: number, issuedAt: string, url: string, pdfUrl: string | null, document: unknown, payment: { id: string, refundedAmount: string } } }> } };

export type UpdateProfileMutationVariables = Exact<{
  input: MerchantProfileInput;
}>;


export type UpdateProfileMutation = { updateMerchantProfile: { companyName: string } };

export type UploadLogoMutationVariables = Exact<{
  png: string;
}>;


export type UploadLogoMutation = { uploadLogo: { logoUrl: string | null } };

export type RemoveLogoMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveLogoMutation = { updateMerchantProfile: { logoUrl: string | null } };

export type MailPreviewQueryVariables = Exact<{
  template: MailTemplate;
}>;


export type MailPreviewQuery = { mailPreview: { subject: string, text: string } };

export type UpdateMailSettingsMutationVariables = Exact<{
  input: UpdateMailSettingsInput;
}>;


export type UpdateMailSettingsMutation = { updateMailSettings: { templates: Array<MailTemplate> } };

export type SettingsPageQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsPageQuery = { merchant: { companyName: string, logoUrl: string | null, brandColor: string | null, supportEmail: string | null, legalName: string | null, postalAddress: string | null, taxId: string | null, walletAddress: string }, settings: { maxFailures: number, retryDelaysSeconds: Array<number>, graceSeconds: number, redirectUrlsAllowed: Array<string>, sponsorsCustomers: boolean, sponsoredLamportsPerDay: string }, mailSettings: { templates: Array<MailTemplate>, merchantEmail: string | null, reminderDays: number, isAvailable: boolean } };

export type ReceivingAccountsCardQueryVariables = Exact<{ [key: string]: never; }>;


export type ReceivingAccountsCardQuery = { receivingAccounts: Array<{ count: number, asset: { mint: string, symbol: string | null, decimals: number | null }, accounts: Array<{ number: number, address: string, state: ReceivingAccountState, isUsed: boolean, balance: string }> }> };

export type SetReceivingAccountsMutationVariables = Exact<{
  mint: string;
  count: number;
}>;


export type SetReceivingAccountsMutation = { setReceivingAccounts: { count: number } };

export type CreateReceivingAccountsMutationVariables = Exact<{
  mint: string;
}>;


export type CreateReceivingAccountsMutation = { receivingAccountsTransaction: { transaction: string } };

export type SweepReceivingAccountsMutationVariables = Exact<{
  mint: string;
}>;


export type SweepReceivingAccountsMutation = { sweepReceivingAccountsTransaction: { transaction: string } };

export type OwnSessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnSessionsQuery = { viewer: { sessions: Array<{ id: string, isCurrent: boolean, createdAt: string, idleUntil: string, expiresAt: string, ipAddress: string | null, userAgent: string | null, merchant: { companyName: string } }> } | null };

export type EndMemberSessionMutationVariables = Exact<{
  id: string | number;
}>;


export type EndMemberSessionMutation = { endMemberSession: boolean };

export type UpdateSettingsMutationVariables = Exact<{
  input: UpdateSettingsInput;
}>;


export type UpdateSettingsMutation = { updateSettings: { maxFailures: number } };

export type CreateMerchantMutationVariables = Exact<{
  companyName: string;
  output?: SignInOutput | null | undefined;
}>;


export type CreateMerchantMutation = { createMerchant: { merchantId: string } };

export type SignInInputMutationVariables = Exact<{
  address?: string | null | undefined;
}>;


export type SignInInputMutation = { signInInput: { address: string | null, chainId: string, domain: string, expirationTime: string, issuedAt: string, nonce: string, statement: string, uri: string, version: string } };

export type SignInMutationVariables = Exact<{
  output: SignInOutput;
}>;


export type SignInMutation = { signIn: { merchantId: string, memberships: Array<{ merchantId: string, role: MemberRole, merchant: { companyName: string } }> } };

export type CanCreateMerchantQueryVariables = Exact<{
  address: string;
}>;


export type CanCreateMerchantQuery = { canCreateMerchant: boolean };

export type SignInToMerchantMutationVariables = Exact<{
  merchantId: string | number;
}>;


export type SignInToMerchantMutation = { chooseMerchant: { merchantId: string } };

export type CancelSubscriptionMutationVariables = Exact<{
  id: string | number;
  when: CancelWhen;
}>;


export type CancelSubscriptionMutation = { cancelSubscription: { subscription: { lifeId: string, status: SubscriptionStatus } } };

export type DiscountsToApplyQueryVariables = Exact<{ [key: string]: never; }>;


export type DiscountsToApplyQuery = { discounts: { edges: Array<{ node: { id: string, name: string, percentBps: number | null, amount: string | null, periods: number | null, state: DiscountState, asset: { mint: string, symbol: string | null, decimals: number | null } | null, plans: Array<{ planId: string }> } }> } };

export type ApplyDiscountMutationVariables = Exact<{
  id: string | number;
  discountId: string | number;
}>;


export type ApplyDiscountMutation = { applyDiscount: { lifeId: string } };

export type RemoveDiscountMutationVariables = Exact<{
  id: string | number;
}>;


export type RemoveDiscountMutation = { removeDiscount: { lifeId: string } };

export type SubscriptionHistoryQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
}>;


export type SubscriptionHistoryQuery = { subscription: { history: { pageInfo: { hasNextPage: boolean }, edges: Array<{ cursor: string, node: { at: string, item:
            | { __typename: 'Attempt', failureCode: FailureCode | null, amountRequired: string | null, balanceAvailable: string | null, attemptStatus: AttemptStatus }
            | { __typename: 'Event', id: string, type: string }
            | { __typename: 'Payment', id: string, amount: string, paidAmount: string | null, refundedAmount: string, paymentStatus: PaymentStatus }
            | { __typename: 'SubscriptionTransition', to: SubscriptionStatus, reason: string }
           } }> } } | null };

export type SubscriptionPageQueryVariables = Exact<{
  id: string | number;
}>;


export type SubscriptionPageQuery = { subscription: { id: string, lifeId: string, status: SubscriptionStatus, createdAt: string, startedAt: string, trialGranted: boolean, nextPaymentAt: string | null, pausedFrom: string | null, pausedUntil: string | null, pauseKeepsAccess: boolean | null, nextAmount: string, limitLeft: string | null, nextAttemptAt: string | null, failureCount: number, cancelAtPeriodEnd: boolean, cancelledAt: string | null, accessUntil: string | null, walletAddress: string, metadata: unknown, price: { version: number, amount: string } | null, upcomingPayment: { dueAt: string, total: string, lines: Array<{ text: string, amount: string }> } | null, discount: { periodsLeft: number | null, fullPriceAt: string | null, discount: { id: string, name: string, percentBps: number | null, amount: string | null } } | null, cancellationRequest: { reason: string | null, comment: string | null } | null, customer: { id: string, email: string, customerId: string | null }, plan: { planId: string, name: string, amount: string, maxAmount: string, mint: string, interval: number, trialPeriodSeconds: number, asset: { mint: string, symbol: string | null, decimals: number | null } }, payments: { totalCount: number, edges: Array<{ node: { id: string, status: PaymentStatus, amount: string, paidAmount: string | null, refundedAmount: string, dueAt: string, paidAt: string | null, finalized: boolean, failureCode: FailureCode | null, signature: string | null, attempts: Array<{ status: AttemptStatus, failureCode: FailureCode | null, amountRequired: string | null, balanceAvailable: string | null }> } }> } } | null };

export type PauseSubscriptionMutationVariables = Exact<{
  id: string | number;
  periods?: number | null | undefined;
  keepsAccess: boolean;
  reason?: string | null | undefined;
}>;


export type PauseSubscriptionMutation = { pauseSubscription: { lifeId: string } };

export type SkipNextPaymentMutationVariables = Exact<{
  id: string | number;
  keepsAccess: boolean;
  reason?: string | null | undefined;
}>;


export type SkipNextPaymentMutation = { skipNextPayment: { lifeId: string } };

export type GrantFreePeriodsMutationVariables = Exact<{
  id: string | number;
  count: number;
  reason?: string | null | undefined;
}>;


export type GrantFreePeriodsMutation = { grantFreePeriods: { lifeId: string } };

export type WaivePaymentMutationVariables = Exact<{
  id: string | number;
  reason?: string | null | undefined;
}>;


export type WaivePaymentMutation = { waivePayment: { lifeId: string } };

export type UnpauseSubscriptionMutationVariables = Exact<{
  id: string | number;
  chargeNow: boolean;
}>;


export type UnpauseSubscriptionMutation = { unpauseSubscription: { lifeId: string } };

export type RetryPaymentMutationVariables = Exact<{
  id: string | number;
}>;


export type RetryPaymentMutation = { retryPayment: { lifeId: string } };

export type UndoCancellationMutationVariables = Exact<{
  id: string | number;
}>;


export type UndoCancellationMutation = { undoCancellation: { lifeId: string } };

export type WalletStateNowQueryVariables = Exact<{
  id: string | number;
}>;


export type WalletStateNowQuery = { subscription: { walletState: { balance: string | null, approval: ApprovalState, frozen: boolean, runwayPeriods: number, checkedAt: string } | null } | null };

export type SubscriptionRowsQueryVariables = Exact<{
  filter?: SubscriptionFilter | null | undefined;
  orderBy?: SubscriptionOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SubscriptionRowsQuery = { subscriptionsConnection: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { lifeId: string, status: SubscriptionStatus, createdAt: string, nextPaymentAt: string | null, nextAmount: string, accessUntil: string | null, cancelAtPeriodEnd: boolean, paymentCount: number, walletAddress: string, customer: { email: string }, plan: { name: string, mint: string, interval: number, asset: { mint: string, symbol: string | null, decimals: number | null } } } }> } };

export type SubscriptionTabsQueryVariables = Exact<{ [key: string]: never; }>;


export type SubscriptionTabsQuery = { subscriptionCounts: { total: number, active: number, pastDue: number, cancelled: number, expired: number } };

export type InviteMemberMutationVariables = Exact<{
  walletAddress: string;
  role: MemberRole;
}>;


export type InviteMemberMutation = { inviteMember: { id: string } };

export type RenameMemberMutationVariables = Exact<{
  id: string | number;
  name?: string | null | undefined;
}>;


export type RenameMemberMutation = { renameMember: { id: string } };

export type ChangeMemberRoleMutationVariables = Exact<{
  id: string | number;
  role: MemberRole;
}>;


export type ChangeMemberRoleMutation = { changeMemberRole: { id: string } };

export type RemoveMemberMutationVariables = Exact<{
  id: string | number;
}>;


export type RemoveMemberMutation = { removeMember: { id: string } };

export type TeamPageQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type TeamPageQuery = { members: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, name: string | null, role: MemberRole, walletAddress: string, createdAt: string } }> } };

export type UpdateEndpointMutationVariables = Exact<{
  id: string | number;
  input: UpdateWebhookEndpointInput;
}>;


export type UpdateEndpointMutation = { updateWebhookEndpoint: { id: string, status: EndpointStatus } };

export type RotateSecretMutationVariables = Exact<{
  id: string | number;
}>;


export type RotateSecretMutation = { rotateWebhookSecret: { secret: string } };

export type DeleteEndpointMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteEndpointMutation = { deleteWebhookEndpoint: { id: string } };

export type EndpointPageQueryVariables = Exact<{
  id: string | number;
}>;


export type EndpointPageQuery = { webhookEndpoint: { id: string, url: string, status: EndpointStatus, eventTypes: Array<string>, maxPerSecond: number | null, maxConcurrency: number, createdAt: string, disabledReason: EndpointDisabledReason | null, failingSince: string | null, pausedUntil: string | null, previousSecretUntil: string | null, stats: { delivered: number, failed: number, pending: number, p50Ms: number | null, p95Ms: number | null } } | null, pending: { totalCount: number }, failed: { totalCount: number } };

export type ReplayEventsMutationVariables = Exact<{
  input: ReplayWebhooksInput;
  dryRun: boolean;
}>;


export type ReplayEventsMutation = { replayWebhooks: { count: number } };

export type EndSecretOverlapMutationVariables = Exact<{
  id: string | number;
  previousSecretUntil: string;
}>;


export type EndSecretOverlapMutation = { endWebhookSecretOverlap: { id: string } };

export type SendTestMutationVariables = Exact<{
  endpointId: string | number;
  type?: string | null | undefined;
}>;


export type SendTestMutation = { sendTestWebhook: { id: string } };

export type CreateEndpointMutationVariables = Exact<{
  url: string;
  eventTypes?: Array<string> | string | null | undefined;
  maxPerSecond?: number | null | undefined;
  maxConcurrency?: number | null | undefined;
}>;


export type CreateEndpointMutation = { createWebhookEndpoint: { secret: string, endpoint: { id: string } } };

export type DeliveryRowsQueryVariables = Exact<{
  filter?: WebhookDeliveryFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DeliveryRowsQuery = { webhookDeliveries: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { id: string, status: DeliveryStatus, createdAt: string, attemptCount: number, nextAttemptAt: string | null, isReplay: boolean, attempts: Array<{ statusCode: number | null, error: string | null }>, event: { type: string }, endpoint: { url: string } } }> } };

export type EventTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type EventTypesQuery = { eventTypes: Array<{ type: string, description: string }> };

export type EndpointRowsQueryVariables = Exact<{ [key: string]: never; }>;


export type EndpointRowsQuery = { webhookEndpoints: { edges: Array<{ node: { id: string, url: string, status: EndpointStatus, eventTypes: Array<string>, createdAt: string, disabledReason: EndpointDisabledReason | null, failingSince: string | null, pausedUntil: string | null } }> } };

export type DeliveryUpdatedSubscriptionVariables = Exact<{
  endpointId?: string | number | null | undefined;
}>;


export type DeliveryUpdatedSubscription = { webhookDeliveryUpdated: { id: string } };

export type ChooseMerchantMutationVariables = Exact<{
  merchantId: string | number;
}>;


export type ChooseMerchantMutation = { chooseMerchant: { merchantId: string } };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: boolean };

export type SignOutEverywhereMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutEverywhereMutation = { signOutEverywhere: number };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { search: Array<{ id: string, kind: SearchKind, label: string, detail: string | null }> };

export type ConfirmRestoreCheckMutationVariables = Exact<{
  number: number;
}>;


export type ConfirmRestoreCheckMutation = { confirmRestoreCheck: { checkedAt: string } };

export type BillingClockQueryVariables = Exact<{ [key: string]: never; }>;


export type BillingClockQuery = { cluster: { canMoveTime: boolean, now: string } };

export type MoveTimeMutationVariables = Exact<{
  seconds: number;
}>;


export type MoveTimeMutation = { advanceTestClock: string };

export type ClusterFactsQueryVariables = Exact<{ [key: string]: never; }>;


export type ClusterFactsQuery = { cluster: { chain: string, explorerUrl: string, isLocal: boolean, canMoveTime: boolean } };

export type EventsCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type EventsCursorQuery = { eventsCursor: string };

export type EventsFollowedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type EventsFollowedSubscription = { events: { cursor: string, id: string, type: string, createdAt: string, sequence: number | null, data: unknown } };

export type PlanNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type PlanNamesQuery = { plans: { edges: Array<{ node: { planId: string, name: string, mint: string, asset: { mint: string, symbol: string | null, decimals: number | null } } }> } };

export type PlanNameQueryVariables = Exact<{
  planId: string;
}>;


export type PlanNameQuery = { plan: { name: string } | null };

export type PaymentFinalizedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type PaymentFinalizedSubscription = { paymentRecorded: { finalized: boolean } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { memberId: string, walletAddress: string, role: MemberRole, merchantId: string, merchant: { companyName: string, logoUrl: string | null, walletAddress: string }, uncheckedRestore: { number: number, lostFrom: string | null, lostUntil: string, isCollecting: boolean } | null, memberships: Array<{ merchantId: string, role: MemberRole, merchant: { companyName: string } }> } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const AuditActorsDocument = new TypedDocumentString(`
    query AuditActors {
  members(first: 100) {
    edges {
      node {
        id
        name
        walletAddress
      }
    }
  }
  apiKeys(first: 100) {
    edges {
      node {
        id
        name
        lastFour
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AuditActorsQuery, AuditActorsQueryVariables>;
export const AuditPageDocument = new TypedDocumentString(`
    query AuditPage($filter: AuditLogFilter, $first: Int, $after: String, $last: Int, $before: String) {
  auditLog(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        action
        actor
        actorId
        actorName
        changes
        createdAt
        environment
        ipAddress
        requestId
        targetId
        userAgent
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AuditPageQuery, AuditPageQueryVariables>;
export const CustomerAccessDocument = new TypedDocumentString(`
    query CustomerAccess($customerId: String!) {
  customerState(customerId: $customerId) {
    hasAccess
    features {
      key
      limit
    }
    subscriptions {
      subscriptionId
      planId
      hasAccess
      until
      reason
      startedAt
    }
  }
}
    `) as unknown as TypedDocumentString<CustomerAccessQuery, CustomerAccessQueryVariables>;
export const UpdateBillingDetailsDocument = new TypedDocumentString(`
    mutation UpdateBillingDetails($id: ID!, $input: BillingDetailsInput!) {
  updateBillingDetails(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateBillingDetailsMutation, UpdateBillingDetailsMutationVariables>;
export const UpdateCustomerEmailDocument = new TypedDocumentString(`
    mutation UpdateCustomerEmail($id: ID!, $email: String!) {
  updateCustomer(id: $id, email: $email) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateCustomerEmailMutation, UpdateCustomerEmailMutationVariables>;
export const CustomerPageDocument = new TypedDocumentString(`
    query CustomerPage($id: ID!) {
  customer(id: $id) {
    id
    email
    customerId
    walletAddress
    createdAt
    billingName
    billingAddress
    taxId
    totalPaid {
      mint
      amount
      asset {
        mint
        symbol
        decimals
      }
    }
    nextCharge {
      at
      amount {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
    }
    payments(first: 10) {
      totalCount
      edges {
        node {
          id
          status
          amount
          paidAmount
          refundedAmount
          dueAt
          failureCode
          subscription {
            plan {
              name
              mint
              asset {
                mint
                symbol
                decimals
              }
            }
          }
        }
      }
    }
    subscriptions(first: 25) {
      totalCount
      edges {
        node {
          lifeId
          status
          createdAt
          nextPaymentAt
          nextAmount
          paymentCount
          plan {
            name
            mint
            asset {
              mint
              symbol
              decimals
            }
            interval
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CustomerPageQuery, CustomerPageQueryVariables>;
export const CustomerRowsDocument = new TypedDocumentString(`
    query CustomerRows($search: String, $from: DateTime, $to: DateTime, $first: Int, $after: String, $last: Int, $before: String) {
  customers(
    search: $search
    from: $from
    to: $to
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        email
        customerId
        walletAddress
        createdAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CustomerRowsQuery, CustomerRowsQueryVariables>;
export const DeliveryPageDocument = new TypedDocumentString(`
    query DeliveryPage($id: ID!) {
  webhookDelivery(id: $id) {
    id
    status
    createdAt
    nextAttemptAt
    isReplay
    body
    attempts {
      number
      startedAt
      durationMs
      statusCode
      error
      responseBody
      requestHeaders {
        name
        value
      }
    }
    event {
      id
      type
      subscription {
        lifeId
        customer {
          email
        }
      }
    }
    endpoint {
      id
      url
      status
    }
  }
}
    `) as unknown as TypedDocumentString<DeliveryPageQuery, DeliveryPageQueryVariables>;
export const ResendDeliveryDocument = new TypedDocumentString(`
    mutation ResendDelivery($id: ID!) {
  resendWebhook(deliveryId: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<ResendDeliveryMutation, ResendDeliveryMutationVariables>;
export const PlansToDiscountDocument = new TypedDocumentString(`
    query PlansToDiscount {
  plans(first: 100, status: ACTIVE) {
    edges {
      node {
        planId
        name
        amount
        maxAmount
        mint
        asset {
          mint
          symbol
          decimals
        }
        interval
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlansToDiscountQuery, PlansToDiscountQueryVariables>;
export const CreateDiscountDocument = new TypedDocumentString(`
    mutation CreateDiscount($input: CreateDiscountInput!) {
  createDiscount(input: $input) {
    id
    name
  }
}
    `) as unknown as TypedDocumentString<CreateDiscountMutation, CreateDiscountMutationVariables>;
export const DiscountPageDocument = new TypedDocumentString(`
    query DiscountPage($id: ID!) {
  discount(id: $id) {
    id
    name
    code
    percentBps
    amount
    asset {
      mint
      symbol
      decimals
    }
    periods
    plans {
      planId
      name
    }
    maxRedemptions
    maxPerCustomer
    firstPurchaseOnly
    startsAt
    endsAt
    isActive
    state
    taken
    createdAt
  }
}
    `) as unknown as TypedDocumentString<DiscountPageQuery, DiscountPageQueryVariables>;
export const UpdateDiscountDocument = new TypedDocumentString(`
    mutation UpdateDiscount($id: ID!, $input: UpdateDiscountInput!) {
  updateDiscount(id: $id, input: $input) {
    id
    isActive
  }
}
    `) as unknown as TypedDocumentString<UpdateDiscountMutation, UpdateDiscountMutationVariables>;
export const DiscountUsesDocument = new TypedDocumentString(`
    query DiscountUses($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  discount(id: $id) {
    redemptions(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
      edges {
        node {
          id
          status
          createdAt
          subscription {
            lifeId
            customer {
              email
            }
            plan {
              name
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DiscountUsesQuery, DiscountUsesQueryVariables>;
export const DiscountRowsDocument = new TypedDocumentString(`
    query DiscountRows($isActive: Boolean, $first: Int, $after: String, $last: Int, $before: String) {
  discounts(
    isActive: $isActive
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        name
        code
        percentBps
        amount
        asset {
          mint
          symbol
          decimals
        }
        periods
        plans {
          planId
          name
        }
        maxRedemptions
        taken
        state
        startsAt
        endsAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DiscountRowsQuery, DiscountRowsQueryVariables>;
export const EventPageDocument = new TypedDocumentString(`
    query EventPage($id: ID!) {
  event(id: $id) {
    id
    type
    createdAt
    sequence
    data
    subscription {
      lifeId
      customer {
        email
      }
    }
    deliveries {
      id
      status
      attemptCount
      endpoint {
        url
        status
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EventPageQuery, EventPageQueryVariables>;
export const ResendEventDocument = new TypedDocumentString(`
    mutation ResendEvent($id: ID!) {
  resendEvent(eventId: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<ResendEventMutation, ResendEventMutationVariables>;
export const EventRowsDocument = new TypedDocumentString(`
    query EventRows($filter: EventFilter, $first: Int, $after: String, $last: Int, $before: String) {
  events(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        type
        createdAt
        sequence
        data
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EventRowsQuery, EventRowsQueryVariables>;
export const TriggerSampleDocument = new TypedDocumentString(`
    mutation TriggerSample($type: String!) {
  triggerEvent(type: $type) {
    id
  }
}
    `) as unknown as TypedDocumentString<TriggerSampleMutation, TriggerSampleMutationVariables>;
export const HealthPageDocument = new TypedDocumentString(`
    query HealthPage {
  serviceHealth {
    collectors {
      environment
      role
      address
      lamports
      daysLeft
      canPay
    }
    mirror {
      state
      slotsBehind
      silentSeconds
      doubt
    }
    checkedAt
  }
}
    `) as unknown as TypedDocumentString<HealthPageQuery, HealthPageQueryVariables>;
export const CreateKeyDocument = new TypedDocumentString(`
    mutation CreateKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {
  createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {
    apiKey
  }
}
    `) as unknown as TypedDocumentString<CreateKeyMutation, CreateKeyMutationVariables>;
export const ApiKeyRowsDocument = new TypedDocumentString(`
    query ApiKeyRows($first: Int, $after: String, $last: Int, $before: String) {
  apiKeys(first: $first, after: $after, last: $last, before: $before) {
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        name
        prefix
        lastFour
        scopes
        isValid
        createdAt
        lastUsedAt
        expiresAt
        revokedAt
        replacedBy {
          id
          name
          lastFour
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ApiKeyRowsQuery, ApiKeyRowsQueryVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($id: ID!) {
  revokeApiKey(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const RotateKeyDocument = new TypedDocumentString(`
    mutation RotateKey($id: ID!, $overlapSeconds: Int) {
  rotateApiKey(id: $id, overlapSeconds: $overlapSeconds) {
    apiKey
  }
}
    `) as unknown as TypedDocumentString<RotateKeyMutation, RotateKeyMutationVariables>;
export const PlansToLinkDocument = new TypedDocumentString(`
    query PlansToLink {
  plans(first: 100, status: ACTIVE) {
    edges {
      node {
        planId
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlansToLinkQuery, PlansToLinkQueryVariables>;
export const CreateLinkDocument = new TypedDocumentString(`
    mutation CreateLink($input: CreatePaymentLinkInput!) {
  createPaymentLink(input: $input) {
    id
    url
    qrSvgUrl
    qrPngUrl
    embedScriptUrl
    name
    plan {
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CreateLinkMutation, CreateLinkMutationVariables>;
export const PaymentLinkRowsDocument = new TypedDocumentString(`
    query PaymentLinkRows($planId: String, $active: Boolean, $first: Int, $after: String, $last: Int, $before: String) {
  paymentLinks(
    planId: $planId
    active: $active
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        url
        qrSvgUrl
        qrPngUrl
        embedScriptUrl
        name
        active
        allowsCodes
        openedCount
        completedCount
        createdAt
        plan {
          planId
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PaymentLinkRowsQuery, PaymentLinkRowsQueryVariables>;
export const SwitchPaymentLinkDocument = new TypedDocumentString(`
    mutation SwitchPaymentLink($id: ID!, $active: Boolean!) {
  updatePaymentLink(id: $id, input: {active: $active}) {
    id
    active
  }
}
    `) as unknown as TypedDocumentString<SwitchPaymentLinkMutation, SwitchPaymentLinkMutationVariables>;
export const DismissOnboardingDocument = new TypedDocumentString(`
    mutation DismissOnboarding {
  dismissOnboarding {
    dismissedAt
  }
}
    `) as unknown as TypedDocumentString<DismissOnboardingMutation, DismissOnboardingMutationVariables>;
export const SoldPlanDocument = new TypedDocumentString(`
    query SoldPlan {
  plans(first: 1, status: ACTIVE) {
    edges {
      node {
        planId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SoldPlanQuery, SoldPlanQueryVariables>;
export const OnboardingStepsDocument = new TypedDocumentString(`
    query OnboardingSteps {
  onboarding {
    dismissedAt
    steps {
      step
      doneAt
    }
  }
}
    `) as unknown as TypedDocumentString<OnboardingStepsQuery, OnboardingStepsQueryVariables>;
export const CheckoutConversionDocument = new TypedDocumentString(`
    query CheckoutConversion($from: String!, $to: String!) {
  checkoutConversion(from: $from, to: $to) {
    day
    created
    completed
    expired
  }
}
    `) as unknown as TypedDocumentString<CheckoutConversionQuery, CheckoutConversionQueryVariables>;
export const LatestEventsDocument = new TypedDocumentString(`
    query LatestEvents {
  events(first: 10) {
    edges {
      node {
        id
        type
        createdAt
        data
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LatestEventsQuery, LatestEventsQueryVariables>;
export const MetricsOverviewDocument = new TypedDocumentString(`
    query MetricsOverview($from: String!, $to: String!, $planId: String) {
  metrics(from: $from, to: $to, planId: $planId) {
    days {
      day
      active
      pastDue
      new
      resumed
      churned
      failed
      mrr {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
      mrrMovement {
        mint
        new
        reactivation
        expansion
        contraction
        churn
        moved
      }
      collected {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
      failedByCode {
        code
        count
      }
    }
    total {
      new
      churnRate
      failed
      recovered
      expired
      collected {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
      refunded {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
      recoveredAmount {
        mint
        amount
        asset {
          mint
          symbol
          decimals
        }
      }
    }
    previous {
      days {
        active
        pastDue
        new
        mrr {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
        collected {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
      }
      total {
        new
        churnRate
        failed
        collected {
          mint
          amount
          asset {
            mint
            symbol
            decimals
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MetricsOverviewQuery, MetricsOverviewQueryVariables>;
export const ProblemsDocument = new TypedDocumentString(`
    query Problems {
  plans(first: 100, status: ACTIVE) {
    edges {
      node {
        planId
        name
        problem
      }
    }
  }
  webhookEndpoints(first: 20) {
    edges {
      node {
        id
        url
        status
        failingSince
        disabledReason
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ProblemsQuery, ProblemsQueryVariables>;
export const HealthProblemsDocument = new TypedDocumentString(`
    query HealthProblems {
  serviceHealth {
    collectors {
      role
      canPay
      daysLeft
    }
    mirror {
      state
    }
  }
}
    `) as unknown as TypedDocumentString<HealthProblemsQuery, HealthProblemsQueryVariables>;
export const UpcomingChargesDocument = new TypedDocumentString(`
    query UpcomingCharges($until: String!) {
  upcomingCharges(until: $until) {
    day
    count
    amount {
      mint
      amount
      asset {
        mint
        symbol
        decimals
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UpcomingChargesQuery, UpcomingChargesQueryVariables>;
export const UpcomingShortDocument = new TypedDocumentString(`
    query UpcomingShort($until: String!) {
  upcomingCharges(until: $until) {
    day
    short
    shortChecked
  }
}
    `) as unknown as TypedDocumentString<UpcomingShortQuery, UpcomingShortQueryVariables>;
export const NextPaymentDocument = new TypedDocumentString(`
    query NextPayment {
  subscriptionsConnection(first: 1, orderBy: NEXT_PAYMENT) {
    edges {
      node {
        nextPaymentAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NextPaymentQuery, NextPaymentQueryVariables>;
export const CreateRefundDocument = new TypedDocumentString(`
    mutation CreateRefund($input: CreateRefundInput!) {
  createRefund(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateRefundMutation, CreateRefundMutationVariables>;
export const PaymentPageDocument = new TypedDocumentString(`
    query PaymentPage($id: ID!) {
  payment(id: $id) {
    id
    status
    amount
    paidAmount
    lines {
      kind
      text
      amount
    }
    number
    dueAt
    periodEnd
    paidAt
    finalized
    collectedByUs
    feeLamports
    signature
    refundedAmount
    excessRefundedAmount
    refundableAmount
    refunds {
      id
      status
      amount
      reason
      signature
      solanaPayUrl
      inFlight
      sentSignature
      excess {
        signature
        amount
      }
      createdAt
    }
    receipt {
      number
      url
    }
    attempts {
      status
      createdAt
      settledAt
      failureCode
      amountRequired
      balanceAvailable
    }
    mails {
      id
      template
      recipient
      status
      error
      createdAt
      sentAt
    }
    customer {
      id
      email
    }
    subscription {
      lifeId
      walletAddress
      plan {
        planId
        name
        mint
        merchant {
          walletAddress
        }
        asset {
          mint
          symbol
          decimals
        }
      }
    }
  }
  events(filter: {paymentId: $id}, first: 20) {
    totalCount
    edges {
      node {
        id
        type
        createdAt
        deliveries {
          id
          status
          lastStatusCode
          endpoint {
            url
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PaymentPageQuery, PaymentPageQueryVariables>;
export const RefundTransactionDocument = new TypedDocumentString(`
    mutation RefundTransaction($id: ID!) {
  refundTransaction(id: $id) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<RefundTransactionMutation, RefundTransactionMutationVariables>;
export const RefundInFlightDocument = new TypedDocumentString(`
    query RefundInFlight($id: ID!) {
  refund(id: $id) {
    status
    inFlight
  }
}
    `) as unknown as TypedDocumentString<RefundInFlightQuery, RefundInFlightQueryVariables>;
export const CancelRefundDocument = new TypedDocumentString(`
    mutation CancelRefund($id: ID!) {
  cancelRefund(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<CancelRefundMutation, CancelRefundMutationVariables>;
export const PaymentRowsDocument = new TypedDocumentString(`
    query PaymentRows($filter: PaymentFilter, $first: Int, $after: String, $last: Int, $before: String) {
  payments(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        status
        amount
        paidAmount
        refundedAmount
        dueAt
        paidAt
        signature
        failureCode
        subscription {
          customer {
            email
          }
          plan {
            name
            mint
            asset {
              mint
              symbol
              decimals
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PaymentRowsQuery, PaymentRowsQueryVariables>;
export const PlanAssetsDocument = new TypedDocumentString(`
    query PlanAssets {
  assets {
    mint
    symbol
    name
    decimals
    isDefault
  }
  plans(first: 1) {
    totalCount
  }
  settings {
    graceSeconds
  }
}
    `) as unknown as TypedDocumentString<PlanAssetsQuery, PlanAssetsQueryVariables>;
export const CreatePlanDraftDocument = new TypedDocumentString(`
    mutation CreatePlanDraft($input: CreatePlanInput!) {
  createPlan(input: $input) {
    plan {
      planId
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CreatePlanDraftMutation, CreatePlanDraftMutationVariables>;
export const RepairPlanDocument = new TypedDocumentString(`
    mutation RepairPlan($planId: String!) {
  repairPlanTransaction(planId: $planId) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<RepairPlanMutation, RepairPlanMutationVariables>;
export const DeletePlanAccountDocument = new TypedDocumentString(`
    mutation DeletePlanAccount($planId: String!) {
  deletePlanTransaction(planId: $planId) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<DeletePlanAccountMutation, DeletePlanAccountMutationVariables>;
export const ClosePlanDocument = new TypedDocumentString(`
    mutation ClosePlan($planId: String!, $endsAt: DateTime!) {
  sunsetPlanTransaction(planId: $planId, endsAt: $endsAt) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<ClosePlanMutation, ClosePlanMutationVariables>;
export const DeletePlanDraftDocument = new TypedDocumentString(`
    mutation DeletePlanDraft($planId: String!) {
  deletePlanDraft(planId: $planId)
}
    `) as unknown as TypedDocumentString<DeletePlanDraftMutation, DeletePlanDraftMutationVariables>;
export const PreviewFeaturesDocument = new TypedDocumentString(`
    query PreviewFeatures($planId: String!, $features: [FeatureInput!]!) {
  previewFeatures(planId: $planId, features: $features) {
    added
    removed
    changed
    subscriptionCount
  }
}
    `) as unknown as TypedDocumentString<PreviewFeaturesQuery, PreviewFeaturesQueryVariables>;
export const PlanDetailDocument = new TypedDocumentString(`
    query PlanDetail($planId: String!) {
  plan(planId: $planId) {
    planId
    name
    description
    imageUrl
    maxPausedPeriods
    address
    amount
    maxAmount
    prices {
      id
      version
      amount
      createdAt
      retiredAt
    }
    mint
    asset {
      mint
      symbol
      name
      decimals
    }
    interval
    trialPeriodSeconds
    status
    problem
    revenue
    paymentCount
    createdAt
    publishedAt
    endsAt
    features {
      key
      limit
    }
    graceSeconds
    retryPolicy
    collectWithinSeconds
    subscribers {
      active
      pastDue
      cancelled
      expired
    }
    merchant {
      walletAddress
    }
  }
  settings {
    graceSeconds
  }
}
    `) as unknown as TypedDocumentString<PlanDetailQuery, PlanDetailQueryVariables>;
export const UpdatePlanDocument = new TypedDocumentString(`
    mutation UpdatePlan($planId: String!, $input: UpdatePlanInput!) {
  updatePlan(planId: $planId, input: $input) {
    planId
  }
}
    `) as unknown as TypedDocumentString<UpdatePlanMutation, UpdatePlanMutationVariables>;
export const PlanFollowedDocument = new TypedDocumentString(`
    subscription PlanFollowed($planId: String!) {
  planUpdated(planId: $planId) {
    status
    problem
    endsAt
    name
    description
    imageUrl
  }
}
    `) as unknown as TypedDocumentString<PlanFollowedSubscription, PlanFollowedSubscriptionVariables>;
export const CreatePriceDocument = new TypedDocumentString(`
    mutation CreatePrice($planId: String!, $amount: TokenAmount!) {
  createPrice(planId: $planId, amount: $amount) {
    version
  }
}
    `) as unknown as TypedDocumentString<CreatePriceMutation, CreatePriceMutationVariables>;
export const RetirePriceDocument = new TypedDocumentString(`
    mutation RetirePrice($priceId: ID!) {
  retirePrice(priceId: $priceId) {
    version
  }
}
    `) as unknown as TypedDocumentString<RetirePriceMutation, RetirePriceMutationVariables>;
export const PublishPlanDocument = new TypedDocumentString(`
    mutation PublishPlan($planId: String!) {
  publishPlanTransaction(planId: $planId) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<PublishPlanMutation, PublishPlanMutationVariables>;
export const LinkOfPlanDocument = new TypedDocumentString(`
    query LinkOfPlan($planId: String!) {
  paymentLinks(planId: $planId, active: true, first: 1) {
    edges {
      node {
        id
        url
        qrSvgUrl
        qrPngUrl
        embedScriptUrl
        plan {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LinkOfPlanQuery, LinkOfPlanQueryVariables>;
export const CreateLinkOfPlanDocument = new TypedDocumentString(`
    mutation CreateLinkOfPlan($planId: String!) {
  createPaymentLink(input: {planId: $planId}) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateLinkOfPlanMutation, CreateLinkOfPlanMutationVariables>;
export const OpenTestCheckoutDocument = new TypedDocumentString(`
    mutation OpenTestCheckout($input: CreateCheckoutSessionInput!) {
  createCheckoutSession(input: $input) {
    url
  }
}
    `) as unknown as TypedDocumentString<OpenTestCheckoutMutation, OpenTestCheckoutMutationVariables>;
export const PlanRowsDocument = new TypedDocumentString(`
    query PlanRows($status: PlanStatus, $first: Int, $after: String, $last: Int, $before: String) {
  plans(
    status: $status
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        planId
        name
        amount
        mint
        asset {
          mint
          symbol
          decimals
        }
        interval
        trialPeriodSeconds
        status
        problem
        revenue
        publishedAt
        endsAt
        subscribers {
          active
          pastDue
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlanRowsQuery, PlanRowsQueryVariables>;
export const PlanRowUpdatedDocument = new TypedDocumentString(`
    subscription PlanRowUpdated {
  planUpdated {
    planId
  }
}
    `) as unknown as TypedDocumentString<PlanRowUpdatedSubscription, PlanRowUpdatedSubscriptionVariables>;
export const ReceiptRowsDocument = new TypedDocumentString(`
    query ReceiptRows($filter: ReceiptFilter, $first: Int, $after: String, $last: Int, $before: String) {
  receipts(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        number
        issuedAt
        url
        pdfUrl
        document
        payment {
          id
          refundedAmount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReceiptRowsQuery, ReceiptRowsQueryVariables>;
export const UpdateProfileDocument = new TypedDocumentString(`
    mutation UpdateProfile($input: MerchantProfileInput!) {
  updateMerchantProfile(input: $input) {
    companyName
  }
}
    `) as unknown as TypedDocumentString<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const UploadLogoDocument = new TypedDocumentString(`
    mutation UploadLogo($png: String!) {
  uploadLogo(png: $png) {
    logoUrl
  }
}
    `) as unknown as TypedDocumentString<UploadLogoMutation, UploadLogoMutationVariables>;
export const RemoveLogoDocument = new TypedDocumentString(`
    mutation RemoveLogo {
  updateMerchantProfile(input: {logoUrl: null}) {
    logoUrl
  }
}
    `) as unknown as TypedDocumentString<RemoveLogoMutation, RemoveLogoMutationVariables>;
export const MailPreviewDocument = new TypedDocumentString(`
    query MailPreview($template: MailTemplate!) {
  mailPreview(template: $template) {
    subject
    text
  }
}
    `) as unknown as TypedDocumentString<MailPreviewQuery, MailPreviewQueryVariables>;
export const UpdateMailSettingsDocument = new TypedDocumentString(`
    mutation UpdateMailSettings($input: UpdateMailSettingsInput!) {
  updateMailSettings(input: $input) {
    templates
  }
}
    `) as unknown as TypedDocumentString<UpdateMailSettingsMutation, UpdateMailSettingsMutationVariables>;
export const SettingsPageDocument = new TypedDocumentString(`
    query SettingsPage {
  merchant {
    companyName
    logoUrl
    brandColor
    supportEmail
    legalName
    postalAddress
    taxId
    walletAddress
  }
  settings {
    maxFailures
    retryDelaysSeconds
    graceSeconds
    redirectUrlsAllowed
    sponsorsCustomers
    sponsoredLamportsPerDay
  }
  mailSettings {
    templates
    merchantEmail
    reminderDays
    isAvailable
  }
}
    `) as unknown as TypedDocumentString<SettingsPageQuery, SettingsPageQueryVariables>;
export const ReceivingAccountsCardDocument = new TypedDocumentString(`
    query ReceivingAccountsCard {
  receivingAccounts {
    asset {
      mint
      symbol
      decimals
    }
    count
    accounts {
      number
      address
      state
      isUsed
      balance
    }
  }
}
    `) as unknown as TypedDocumentString<ReceivingAccountsCardQuery, ReceivingAccountsCardQueryVariables>;
export const SetReceivingAccountsDocument = new TypedDocumentString(`
    mutation SetReceivingAccounts($mint: String!, $count: Int!) {
  setReceivingAccounts(mint: $mint, count: $count) {
    count
  }
}
    `) as unknown as TypedDocumentString<SetReceivingAccountsMutation, SetReceivingAccountsMutationVariables>;
export const CreateReceivingAccountsDocument = new TypedDocumentString(`
    mutation CreateReceivingAccounts($mint: String!) {
  receivingAccountsTransaction(mint: $mint) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<CreateReceivingAccountsMutation, CreateReceivingAccountsMutationVariables>;
export const SweepReceivingAccountsDocument = new TypedDocumentString(`
    mutation SweepReceivingAccounts($mint: String!) {
  sweepReceivingAccountsTransaction(mint: $mint) {
    transaction
  }
}
    `) as unknown as TypedDocumentString<SweepReceivingAccountsMutation, SweepReceivingAccountsMutationVariables>;
export const OwnSessionsDocument = new TypedDocumentString(`
    query OwnSessions {
  viewer {
    sessions {
      id
      isCurrent
      merchant {
        companyName
      }
      createdAt
      idleUntil
      expiresAt
      ipAddress
      userAgent
    }
  }
}
    `) as unknown as TypedDocumentString<OwnSessionsQuery, OwnSessionsQueryVariables>;
export const EndMemberSessionDocument = new TypedDocumentString(`
    mutation EndMemberSession($id: ID!) {
  endMemberSession(id: $id)
}
    `) as unknown as TypedDocumentString<EndMemberSessionMutation, EndMemberSessionMutationVariables>;
export const UpdateSettingsDocument = new TypedDocumentString(`
    mutation UpdateSettings($input: UpdateSettingsInput!) {
  updateSettings(input: $input) {
    maxFailures
  }
}
    `) as unknown as TypedDocumentString<UpdateSettingsMutation, UpdateSettingsMutationVariables>;
export const CreateMerchantDocument = new TypedDocumentString(`
    mutation CreateMerchant($companyName: String!, $output: SignInOutput) {
  createMerchant(companyName: $companyName, output: $output) {
    merchantId
  }
}
    `) as unknown as TypedDocumentString<CreateMerchantMutation, CreateMerchantMutationVariables>;
export const SignInInputDocument = new TypedDocumentString(`
    mutation SignInInput($address: String) {
  signInInput(address: $address) {
    address
    chainId
    domain
    expirationTime
    issuedAt
    nonce
    statement
    uri
    version
  }
}
    `) as unknown as TypedDocumentString<SignInInputMutation, SignInInputMutationVariables>;
export const SignInDocument = new TypedDocumentString(`
    mutation SignIn($output: SignInOutput!) {
  signIn(output: $output) {
    merchantId
    memberships {
      merchantId
      role
      merchant {
        companyName
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SignInMutation, SignInMutationVariables>;
export const CanCreateMerchantDocument = new TypedDocumentString(`
    query CanCreateMerchant($address: String!) {
  canCreateMerchant(address: $address)
}
    `) as unknown as TypedDocumentString<CanCreateMerchantQuery, CanCreateMerchantQueryVariables>;
export const SignInToMerchantDocument = new TypedDocumentString(`
    mutation SignInToMerchant($merchantId: ID!) {
  chooseMerchant(merchantId: $merchantId) {
    merchantId
  }
}
    `) as unknown as TypedDocumentString<SignInToMerchantMutation, SignInToMerchantMutationVariables>;
export const CancelSubscriptionDocument = new TypedDocumentString(`
    mutation CancelSubscription($id: ID!, $when: CancelWhen!) {
  cancelSubscription(subscription: $id, when: $when) {
    subscription {
      lifeId
      status
    }
  }
}
    `) as unknown as TypedDocumentString<CancelSubscriptionMutation, CancelSubscriptionMutationVariables>;
export const DiscountsToApplyDocument = new TypedDocumentString(`
    query DiscountsToApply {
  discounts(isActive: true, first: 100) {
    edges {
      node {
        id
        name
        percentBps
        amount
        asset {
          mint
          symbol
          decimals
        }
        periods
        state
        plans {
          planId
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DiscountsToApplyQuery, DiscountsToApplyQueryVariables>;
export const ApplyDiscountDocument = new TypedDocumentString(`
    mutation ApplyDiscount($id: ID!, $discountId: ID!) {
  applyDiscount(subscription: $id, discountId: $discountId) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<ApplyDiscountMutation, ApplyDiscountMutationVariables>;
export const RemoveDiscountDocument = new TypedDocumentString(`
    mutation RemoveDiscount($id: ID!) {
  removeDiscount(subscription: $id) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<RemoveDiscountMutation, RemoveDiscountMutationVariables>;
export const SubscriptionHistoryDocument = new TypedDocumentString(`
    query SubscriptionHistory($id: ID!, $first: Int) {
  subscription(id: $id) {
    history(first: $first) {
      pageInfo {
        hasNextPage
      }
      edges {
        cursor
        node {
          at
          item {
            __typename
            ... on Attempt {
              attemptStatus: status
              failureCode
              amountRequired
              balanceAvailable
            }
            ... on Event {
              id
              type
            }
            ... on Payment {
              id
              paymentStatus: status
              amount
              paidAmount
              refundedAmount
            }
            ... on SubscriptionTransition {
              to
              reason
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubscriptionHistoryQuery, SubscriptionHistoryQueryVariables>;
export const SubscriptionPageDocument = new TypedDocumentString(`
    query SubscriptionPage($id: ID!) {
  subscription(id: $id) {
    id
    lifeId
    status
    createdAt
    startedAt
    trialGranted
    nextPaymentAt
    pausedFrom
    pausedUntil
    pauseKeepsAccess
    nextAmount
    limitLeft
    price {
      version
      amount
    }
    upcomingPayment {
      dueAt
      total
      lines {
        text
        amount
      }
    }
    discount {
      periodsLeft
      fullPriceAt
      discount {
        id
        name
        percentBps
        amount
      }
    }
    nextAttemptAt
    failureCount
    cancelAtPeriodEnd
    cancellationRequest {
      reason
      comment
    }
    cancelledAt
    accessUntil
    walletAddress
    metadata
    customer {
      id
      email
      customerId
    }
    plan {
      planId
      name
      amount
      maxAmount
      mint
      asset {
        mint
        symbol
        decimals
      }
      interval
      trialPeriodSeconds
    }
    payments(first: 10) {
      totalCount
      edges {
        node {
          id
          status
          amount
          paidAmount
          refundedAmount
          dueAt
          paidAt
          finalized
          failureCode
          signature
          attempts {
            status
            failureCode
            amountRequired
            balanceAvailable
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubscriptionPageQuery, SubscriptionPageQueryVariables>;
export const PauseSubscriptionDocument = new TypedDocumentString(`
    mutation PauseSubscription($id: ID!, $periods: Int, $keepsAccess: Boolean!, $reason: String) {
  pauseSubscription(
    subscription: $id
    periods: $periods
    keepsAccess: $keepsAccess
    reason: $reason
  ) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<PauseSubscriptionMutation, PauseSubscriptionMutationVariables>;
export const SkipNextPaymentDocument = new TypedDocumentString(`
    mutation SkipNextPayment($id: ID!, $keepsAccess: Boolean!, $reason: String) {
  skipNextPayment(subscription: $id, keepsAccess: $keepsAccess, reason: $reason) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<SkipNextPaymentMutation, SkipNextPaymentMutationVariables>;
export const GrantFreePeriodsDocument = new TypedDocumentString(`
    mutation GrantFreePeriods($id: ID!, $count: Int!, $reason: String) {
  grantFreePeriods(subscription: $id, count: $count, reason: $reason) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<GrantFreePeriodsMutation, GrantFreePeriodsMutationVariables>;
export const WaivePaymentDocument = new TypedDocumentString(`
    mutation WaivePayment($id: ID!, $reason: String) {
  waivePayment(subscription: $id, reason: $reason) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<WaivePaymentMutation, WaivePaymentMutationVariables>;
export const UnpauseSubscriptionDocument = new TypedDocumentString(`
    mutation UnpauseSubscription($id: ID!, $chargeNow: Boolean!) {
  unpauseSubscription(subscription: $id, chargeNow: $chargeNow) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<UnpauseSubscriptionMutation, UnpauseSubscriptionMutationVariables>;
export const RetryPaymentDocument = new TypedDocumentString(`
    mutation RetryPayment($id: ID!) {
  retryPayment(subscription: $id) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<RetryPaymentMutation, RetryPaymentMutationVariables>;
export const UndoCancellationDocument = new TypedDocumentString(`
    mutation UndoCancellation($id: ID!) {
  undoCancellation(subscription: $id) {
    lifeId
  }
}
    `) as unknown as TypedDocumentString<UndoCancellationMutation, UndoCancellationMutationVariables>;
export const WalletStateNowDocument = new TypedDocumentString(`
    query WalletStateNow($id: ID!) {
  subscription(id: $id) {
    walletState {
      balance
      approval
      frozen
      runwayPeriods
      checkedAt
    }
  }
}
    `) as unknown as TypedDocumentString<WalletStateNowQuery, WalletStateNowQueryVariables>;
export const SubscriptionRowsDocument = new TypedDocumentString(`
    query SubscriptionRows($filter: SubscriptionFilter, $orderBy: SubscriptionOrder, $first: Int, $after: String, $last: Int, $before: String) {
  subscriptionsConnection(
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        lifeId
        status
        createdAt
        nextPaymentAt
        nextAmount
        accessUntil
        cancelAtPeriodEnd
        paymentCount
        walletAddress
        customer {
          email
        }
        plan {
          name
          mint
          asset {
            mint
            symbol
            decimals
          }
          interval
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SubscriptionRowsQuery, SubscriptionRowsQueryVariables>;
export const SubscriptionTabsDocument = new TypedDocumentString(`
    query SubscriptionTabs {
  subscriptionCounts {
    total
    active
    pastDue
    cancelled
    expired
  }
}
    `) as unknown as TypedDocumentString<SubscriptionTabsQuery, SubscriptionTabsQueryVariables>;
export const InviteMemberDocument = new TypedDocumentString(`
    mutation InviteMember($walletAddress: String!, $role: MemberRole!) {
  inviteMember(walletAddress: $walletAddress, role: $role) {
    id
  }
}
    `) as unknown as TypedDocumentString<InviteMemberMutation, InviteMemberMutationVariables>;
export const RenameMemberDocument = new TypedDocumentString(`
    mutation RenameMember($id: ID!, $name: String) {
  renameMember(id: $id, name: $name) {
    id
  }
}
    `) as unknown as TypedDocumentString<RenameMemberMutation, RenameMemberMutationVariables>;
export const ChangeMemberRoleDocument = new TypedDocumentString(`
    mutation ChangeMemberRole($id: ID!, $role: MemberRole!) {
  changeMemberRole(id: $id, role: $role) {
    id
  }
}
    `) as unknown as TypedDocumentString<ChangeMemberRoleMutation, ChangeMemberRoleMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($id: ID!) {
  removeMember(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const TeamPageDocument = new TypedDocumentString(`
    query TeamPage($first: Int, $after: String, $last: Int, $before: String) {
  members(first: $first, after: $after, last: $last, before: $before) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        name
        role
        walletAddress
        createdAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TeamPageQuery, TeamPageQueryVariables>;
export const UpdateEndpointDocument = new TypedDocumentString(`
    mutation UpdateEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(id: $id, input: $input) {
    id
    status
  }
}
    `) as unknown as TypedDocumentString<UpdateEndpointMutation, UpdateEndpointMutationVariables>;
export const RotateSecretDocument = new TypedDocumentString(`
    mutation RotateSecret($id: ID!) {
  rotateWebhookSecret(id: $id) {
    secret
  }
}
    `) as unknown as TypedDocumentString<RotateSecretMutation, RotateSecretMutationVariables>;
export const DeleteEndpointDocument = new TypedDocumentString(`
    mutation DeleteEndpoint($id: ID!) {
  deleteWebhookEndpoint(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeleteEndpointMutation, DeleteEndpointMutationVariables>;
export const EndpointPageDocument = new TypedDocumentString(`
    query EndpointPage($id: ID!) {
  webhookEndpoint(id: $id) {
    id
    url
    status
    eventTypes
    maxPerSecond
    maxConcurrency
    createdAt
    disabledReason
    failingSince
    pausedUntil
    previousSecretUntil
    stats(hours: 24) {
      delivered
      failed
      pending
      p50Ms
      p95Ms
    }
  }
  pending: webhookDeliveries(filter: {endpointId: $id, status: PENDING}, first: 1) {
    totalCount
  }
  failed: webhookDeliveries(filter: {endpointId: $id, status: FAILED}, first: 1) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<EndpointPageQuery, EndpointPageQueryVariables>;
export const ReplayEventsDocument = new TypedDocumentString(`
    mutation ReplayEvents($input: ReplayWebhooksInput!, $dryRun: Boolean!) {
  replayWebhooks(input: $input, dryRun: $dryRun) {
    count
  }
}
    `) as unknown as TypedDocumentString<ReplayEventsMutation, ReplayEventsMutationVariables>;
export const EndSecretOverlapDocument = new TypedDocumentString(`
    mutation EndSecretOverlap($id: ID!, $previousSecretUntil: DateTime!) {
  endWebhookSecretOverlap(id: $id, previousSecretUntil: $previousSecretUntil) {
    id
  }
}
    `) as unknown as TypedDocumentString<EndSecretOverlapMutation, EndSecretOverlapMutationVariables>;
export const SendTestDocument = new TypedDocumentString(`
    mutation SendTest($endpointId: ID!, $type: String) {
  sendTestWebhook(endpointId: $endpointId, type: $type) {
    id
  }
}
    `) as unknown as TypedDocumentString<SendTestMutation, SendTestMutationVariables>;
export const CreateEndpointDocument = new TypedDocumentString(`
    mutation CreateEndpoint($url: String!, $eventTypes: [String!], $maxPerSecond: Int, $maxConcurrency: Int) {
  createWebhookEndpoint(
    url: $url
    eventTypes: $eventTypes
    maxPerSecond: $maxPerSecond
    maxConcurrency: $maxConcurrency
  ) {
    secret
    endpoint {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CreateEndpointMutation, CreateEndpointMutationVariables>;
export const DeliveryRowsDocument = new TypedDocumentString(`
    query DeliveryRows($filter: WebhookDeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {
  webhookDeliveries(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      node {
        id
        status
        createdAt
        attemptCount
        nextAttemptAt
        isReplay
        attempts {
          statusCode
          error
        }
        event {
          type
        }
        endpoint {
          url
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DeliveryRowsQuery, DeliveryRowsQueryVariables>;
export const EventTypesDocument = new TypedDocumentString(`
    query EventTypes {
  eventTypes {
    type
    description
  }
}
    `) as unknown as TypedDocumentString<EventTypesQuery, EventTypesQueryVariables>;
export const EndpointRowsDocument = new TypedDocumentString(`
    query EndpointRows {
  webhookEndpoints(first: 20) {
    edges {
      node {
        id
        url
        status
        eventTypes
        createdAt
        disabledReason
        failingSince
        pausedUntil
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EndpointRowsQuery, EndpointRowsQueryVariables>;
export const DeliveryUpdatedDocument = new TypedDocumentString(`
    subscription DeliveryUpdated($endpointId: ID) {
  webhookDeliveryUpdated(endpointId: $endpointId) {
    id
  }
}
    `) as unknown as TypedDocumentString<DeliveryUpdatedSubscription, DeliveryUpdatedSubscriptionVariables>;
export const ChooseMerchantDocument = new TypedDocumentString(`
    mutation ChooseMerchant($merchantId: ID!) {
  chooseMerchant(merchantId: $merchantId) {
    merchantId
  }
}
    `) as unknown as TypedDocumentString<ChooseMerchantMutation, ChooseMerchantMutationVariables>;
export const SignOutDocument = new TypedDocumentString(`
    mutation SignOut {
  signOut
}
    `) as unknown as TypedDocumentString<SignOutMutation, SignOutMutationVariables>;
export const SignOutEverywhereDocument = new TypedDocumentString(`
    mutation SignOutEverywhere {
  signOutEverywhere
}
    `) as unknown as TypedDocumentString<SignOutEverywhereMutation, SignOutEverywhereMutationVariables>;
export const SearchDocument = new TypedDocumentString(`
    query Search($text: String!) {
  search(text: $text) {
    id
    kind
    label
    detail
  }
}
    `) as unknown as TypedDocumentString<SearchQuery, SearchQueryVariables>;
export const ConfirmRestoreCheckDocument = new TypedDocumentString(`
    mutation ConfirmRestoreCheck($number: Int!) {
  confirmRestoreCheck(number: $number) {
    checkedAt
  }
}
    `) as unknown as TypedDocumentString<ConfirmRestoreCheckMutation, ConfirmRestoreCheckMutationVariables>;
export const BillingClockDocument = new TypedDocumentString(`
    query BillingClock {
  cluster {
    canMoveTime
    now
  }
}
    `) as unknown as TypedDocumentString<BillingClockQuery, BillingClockQueryVariables>;
export const MoveTimeDocument = new TypedDocumentString(`
    mutation MoveTime($seconds: Int!) {
  advanceTestClock(seconds: $seconds)
}
    `) as unknown as TypedDocumentString<MoveTimeMutation, MoveTimeMutationVariables>;
export const ClusterFactsDocument = new TypedDocumentString(`
    query ClusterFacts {
  cluster {
    chain
    explorerUrl
    isLocal
    canMoveTime
  }
}
    `) as unknown as TypedDocumentString<ClusterFactsQuery, ClusterFactsQueryVariables>;
export const EventsCursorDocument = new TypedDocumentString(`
    query EventsCursor {
  eventsCursor
}
    `) as unknown as TypedDocumentString<EventsCursorQuery, EventsCursorQueryVariables>;
export const EventsFollowedDocument = new TypedDocumentString(`
    subscription EventsFollowed($after: String) {
  events(after: $after) {
    cursor
    id
    type
    createdAt
    sequence
    data
  }
}
    `) as unknown as TypedDocumentString<EventsFollowedSubscription, EventsFollowedSubscriptionVariables>;
export const PlanNamesDocument = new TypedDocumentString(`
    query PlanNames {
  plans(first: 100) {
    edges {
      node {
        planId
        name
        mint
        asset {
          mint
          symbol
          decimals
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlanNamesQuery, PlanNamesQueryVariables>;
export const PlanNameDocument = new TypedDocumentString(`
    query PlanName($planId: String!) {
  plan(planId: $planId) {
    name
  }
}
    `) as unknown as TypedDocumentString<PlanNameQuery, PlanNameQueryVariables>;
export const PaymentFinalizedDocument = new TypedDocumentString(`
    subscription PaymentFinalized {
  paymentRecorded {
    finalized
  }
}
    `) as unknown as TypedDocumentString<PaymentFinalizedSubscription, PaymentFinalizedSubscriptionVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    memberId
    walletAddress
    role
    merchantId
    merchant {
      companyName
      logoUrl
      walletAddress
    }
    uncheckedRestore {
      number
      lostFrom
      lostUntil
      isCollecting
    }
    memberships {
      merchantId
      role
      merchant {
        companyName
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;