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

/** When collection stops. */
export type CancelWhen =
  /** Collection stops at once. The subscription becomes CANCELLED, and `accessUntil` is the end of the paid time. */
  | 'NOW'
  /** Collection stops at the due date of the next payment. The subscription is active until then. One that is PAST_DUE has not paid its period, and is cancelled at once. */
  | 'PERIOD_END';

/** Status of a checkout session. */
export type CheckoutSessionStatus =
  /** The subscription exists. */
  | 'COMPLETED'
  /** The customer did not complete the checkout within 30 minutes. */
  | 'EXPIRED'
  /** The customer can complete the checkout. */
  | 'OPEN';

/** Which collector it is. */
export type CollectorRole =
  /** Collects for new plans. */
  | 'CURRENT'
  /** Collects for older plans that allow only this collector. */
  | 'PREVIOUS';

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

/** What a payment is for. */
export type PaymentKind =
  /** A transfer of the plan's owner for which nothing was owed: in the trial, or in a period that was waived. */
  | 'EXTRA'
  /** A billing period. */
  | 'PERIOD';

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

/** What a customer can do in the customer portal. */
export type PortalFlow =
  /** Everything that the portal offers. */
  | 'ALL'
  /** Cancel a subscription, or undo a cancellation. */
  | 'CANCEL'
  /** Renew an approval that was revoked or replaced. */
  | 'REPAIR_APPROVAL'
  /** Add money to the wallet that pays. */
  | 'TOP_UP';

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

/** Which wallets can create a merchant on this service. */
export type SignUpPolicy =
  /** Only the operator of this service can create merchants. */
  | 'CLOSED'
  /** Only a wallet that the operator of this service has invited can create one. */
  | 'INVITED'
  /** Any wallet can create a merchant. */
  | 'OPEN';

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

/** Why nothing is collected for a payment. */
export type WaivedReason =
  /** A discount takes all of the price. */
  | 'DISCOUNT'
  /** The merchant gave the period for free. */
  | 'FREE'
  /** The merchant waived this payment. */
  | 'MERCHANT'
  /** Its lines add up to 0. */
  | 'NOTHING_OWED'
  /** The subscription is paused. */
  | 'PAUSED';

/** Why payments are waived. */
export type WaiverKind =
  /** The merchant gave the periods for free. */
  | 'FREE'
  /** The merchant waived one payment. */
  | 'ONE'
  /** The subscription is paused. */
  | 'PAUSE';

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
