import { CANCELLATION_REASONS } from '../../../domain/billing/lifecycle/cancellation-feedback.ts';
import { nextPaymentOf } from '../../../domain/billing/read/next-payment.ts';
import type { WalletState } from '../../../domain/wallet-state/read-wallet-states.ts';
import type { CancellationRequest } from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { loadCancellationRequest } from '../cancellation-requests.ts';
import { loadWalletState } from '../wallet-states.ts';
import { CheckoutSession } from './checkout-session.ts';
import { Customer } from './customer.ts';
import { PaymentStatus } from './payment.ts';

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Status of a subscription, which decides about access.',
  values: {
    ACTIVE: { description: 'Payments are collected: provide access.' },
    PAST_DUE: { description: 'A payment failed and is retried: show a warning.' },
    CANCELLED: { description: 'Never charged again: revoke access, at `accessUntil` if it is set.' },
    EXPIRED: { description: 'Too many consecutive failures: revoke access and offer to subscribe again.' },
  } as const,
});

export const SubscriptionTransition = builder.prismaObject('SubscriptionTransition', {
  description: "One change of a subscription's status.",
  fields: (t) => ({
    from: t.expose('from', {
      type: SubscriptionStatus,
      nullable: true,
      description: 'Previous status; null for the first change.',
    }),
    to: t.expose('to', { type: SubscriptionStatus, description: 'Status after.' }),
    reason: t.exposeString('reason', {
      description:
        'Reason: `subscribed`, `payment_failed`, `payment_recovered`, `too_many_failures`, `cancelled_on_chain`, `cancelled_by_merchant`, `cancelled_by_customer` (in the portal), `delegation_closed`, `authority_revoked`, `plan_over` (the plan ended or was deleted on chain), `resumed_on_chain` or `reactivated`.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
  }),
});

const ApprovalStateEnum = builder.enumType('ApprovalState', {
  description: 'The approval through which a wallet pays. A low balance is no matter of the approval.',
  values: {
    OK: { description: 'Payments can be collected as far as the balance reaches.' },
    REVOKED: {
      description:
        'The customer took the approval back, or less than one payment is left of it. The action `repair_approval` gives it again.',
    },
    REPLACED: {
      description: "Another app's approval has replaced it. The action `repair_approval` gives it again.",
    },
    CLOSED: {
      description:
        "The token account is closed (`balance` is null; `repair_approval` creates it again), or the customer closed the program's authority over the token: then only a new subscription can be collected.",
    },
  } as const,
});

const WalletStateRef = builder.objectRef<WalletState>('WalletState').implement({
  description: 'What the wallet behind a subscription holds and permits on chain.',
  fields: (t) => ({
    balance: t.expose('balance', {
      type: 'TokenAmount',
      nullable: true,
      description: "Base units of the plan's mint; null if the token account is closed.",
    }),
    approval: t.expose('approval', { type: ApprovalStateEnum, description: 'State of the approval.' }),
    frozen: t.exposeBoolean('frozen', {
      description: 'Whether the issuer of the token has frozen the token account.',
    }),
    runwayPeriods: t.exposeInt('runwayPeriods', {
      description:
        'Number of payments that the balance covers if nothing else is spent from it; at most 1000000.',
    }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', description: 'When the chain was read.' }),
  }),
});

/** The name Subscription is taken by GraphQL's root type for live updates. */
const CancellationRequestRef = builder.objectRef<CancellationRequest>('CancellationRequest').implement({
  description:
    'A cancellation by the customer in the portal: nothing more is collected. Only the customer can take it back.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      nullable: true,
      description: `Why: ${CANCELLATION_REASONS.map((reason) => `\`${reason}\``).join(', ')}; null if none was given.`,
    }),
    comment: t.exposeString('comment', {
      nullable: true,
      description: "The same in the customer's words; null if none were given.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
  }),
});

export const BillingSubscription = builder.prismaObject('Subscription', {
  name: 'BillingSubscription',
  description:
    'A subscription of a wallet to a plan. After its account on chain was closed, the wallet can subscribe again at the same address: that is another subscription with its own `lifeId`.',
  fields: (t) => ({
    id: t.exposeID('address', {
      requires: null,
      description: 'Address of the subscription account. Base58.',
    }),
    lifeId: t.exposeID('id', {
      requires: null,
      description: 'A UUID that distinguishes this subscription from others at the same address.',
    }),
    status: t.expose('status', {
      requires: null,
      type: SubscriptionStatus,
      description: 'Status, which decides about access.',
    }),
    walletAddress: t.exposeString('walletAddress', { description: 'Wallet that pays. Base58.' }),
    customer: t.relation('customer', { type: Customer, description: 'Who pays.' }),
    plan: t.relation('plan', { description: 'The plan of the subscription.' }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: "The checkout session's metadata: the object that the merchant gave.",
    }),
    trialGranted: t.exposeBoolean('trialGranted', {
      description: "Whether it begins with the plan's trial. A wallet gets the trial of a plan once.",
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'Start on chain. All due dates are counted from here plus the trial.',
    }),
    nextPaymentAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Due date of the next or overdue payment; null if no more payments will be collected.',
      resolve: (subscription) => nextPaymentOf(subscription).nextPaymentAt,
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt to collect that payment happens; null if there is none.',
    }),
    paymentCount: t.exposeInt('paymentCount', { description: 'Number of successful payments.' }),
    failureCount: t.exposeInt('failureCount', {
      description: 'Number of consecutive failures of the payment that is due.',
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      requires: null,
      description:
        'Whether collection stops at the end of the current period, by request of the merchant or, with a `cancellationRequest`, of the customer.',
    }),
    cancellationRequest: t.field({
      type: CancellationRequestRef,
      nullable: true,
      description: "The customer's own cancellation in the portal; null if there is none.",
      resolve: ({ id }, _args, context) => loadCancellationRequest(context, id),
    }),
    cancelledAt: t.expose('cancelledAt', {
      requires: null,
      type: 'DateTime',
      nullable: true,
      description: 'When the subscription was cancelled; null if it was not.',
    }),
    accessUntil: t.field({
      requires: null,
      type: 'DateTime',
      nullable: true,
      description:
        'End of the paid time of a subscription that is cancelled or will be at the end of the period; null for others, and if no paid time is left.',
      resolve: (subscription) => nextPaymentOf(subscription).accessUntil,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the subscription was created in dues.',
    }),
    walletState: t.field({
      type: WalletStateRef,
      nullable: true,
      select: { plan: true },
      complexity: 100,
      description:
        'The wallet as it is on chain now, at most five seconds old; null if an account cannot be read. Counts as 100 fields. Errors: `rate_limit_exceeded` after 1000 wallets a minute.',
      resolve: (subscription, _args, context) => loadWalletState(context, subscription),
    }),
    checkoutSession: t.field({
      type: CheckoutSession,
      nullable: true,
      select: (_args, _context, nested) => ({
        sessions: nested({ orderBy: { completedAt: 'desc' }, take: 1 }),
      }),
      description: 'The checkout session that created or last resumed it; null if there was none.',
      resolve: ({ sessions }) => sessions[0] ?? null,
    }),
    transitions: t.relation('transitions', {
      query: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
      description: 'All changes of its status, first to last.',
    }),
    payments: t.relatedConnection(
      'payments',
      {
        cursor: 'id',
        args: { status: t.arg({ type: PaymentStatus, description: 'Only payments in this status.' }) },
        query: ({ status }) => ({
          where: { status: status ?? undefined },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        }),
        totalCount: true,
        description: 'Its payments, newest first. Errors: `invalid_request` for a page out of range.',
      },
      { name: 'SubscriptionPaymentConnection', description: "A page of a subscription's payments." },
      { name: 'SubscriptionPaymentEdge', description: "An edge of a page of a subscription's payments." },
    ),
  }),
});

/** The argument of mutations that change one subscription. */
export const subscriptionArgs = builder.args((t) => ({
  subscription: t.id({ required: true, description: 'Address of the subscription account, or a `lifeId`.' }),
}));
