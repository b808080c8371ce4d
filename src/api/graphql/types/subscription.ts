import { COLLECTING } from '../../../domain/billing/book/status.ts';
import { CANCELLATION_REASONS } from '../../../domain/billing/lifecycle/cancellation-feedback.ts';
import type { UpcomingPayment } from '../../../domain/billing/read/ahead-of.ts';
import { nextPaymentOf } from '../../../domain/billing/read/next-payment.ts';
import type { WalletState } from '../../../domain/chain-state/wallet-state/read-wallet-states.ts';
import type {
  CancellationRequest,
  SubscriptionStatus as SubscriptionStatusValue,
} from '../../../generated/prisma/client.ts';
import { builder } from '../builder.ts';
import { loadAhead } from '../loaders/ahead.ts';
import { loadCancellationRequest } from '../loaders/cancellation-requests.ts';
import { loadPrice } from '../loaders/prices.ts';
import { loadWalletState } from '../loaders/wallet-states.ts';
import { CheckoutSession } from './checkout-session.ts';
import { Customer } from './customer.ts';
import { PaymentLine, PaymentStatus } from './payment.ts';
import { Price } from './price.ts';

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Status of a subscription. Use it to decide whether the customer has access.',
  values: {
    ACTIVE: { description: 'Payments are collected: give the customer access.' },
    PAST_DUE: { description: 'A payment failed and will be retried: keep access and show a warning.' },
    CANCELLED: {
      description:
        'The customer is never charged again: revoke access, at `accessUntil` if that is set, otherwise at once.',
    },
    EXPIRED: {
      description: 'Collection failed too many times in a row: revoke access and offer a new subscription.',
    },
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
    to: t.expose('to', { type: SubscriptionStatus, description: 'New status.' }),
    reason: t.exposeString('reason', {
      description:
        'Why the status changed: `subscribed`, `payment_failed`, `payment_recovered`, `too_many_failures`, `cancelled_on_chain`, `cancelled_by_merchant`, `cancelled_by_customer` (in the portal), `delegation_closed`, `authority_revoked`, `plan_over` (the plan ended or was deleted on chain), `resumed_on_chain`, `reactivated` or `payment_waived`.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the status changed.' }),
  }),
});

const ApprovalStateEnum = builder.enumType('ApprovalState', {
  description:
    "State of a wallet's approval, which allows dues to collect from the wallet. The balance does not affect it.",
  values: {
    OK: { description: 'The approval is valid: payments can be collected if the balance is enough.' },
    REVOKED: {
      description:
        'The customer revoked the approval, or it covers less than one payment. The action `repair_approval` renews it.',
    },
    REPLACED: {
      description: 'The approval of another app has replaced it. The action `repair_approval` renews it.',
    },
    CLOSED: {
      description:
        'Either the token account is closed: then `balance` is null, and `repair_approval` creates the account again. Or the customer closed the authority that the subscription program has over the token: then nothing more can be collected, and the customer must subscribe again.',
    },
  } as const,
});

const WalletStateRef = builder.objectRef<WalletState>('WalletState').implement({
  description: 'Balance and approval on chain of the wallet that pays a subscription.',
  fields: (t) => ({
    balance: t.expose('balance', {
      type: 'TokenAmount',
      nullable: true,
      description: "Balance in base units of the plan's mint; null if the token account is closed.",
    }),
    approval: t.expose('approval', { type: ApprovalStateEnum, description: 'State of the approval.' }),
    frozen: t.exposeBoolean('frozen', {
      description: 'Whether the issuer of the token has frozen the token account.',
    }),
    runwayPeriods: t.exposeInt('runwayPeriods', {
      description:
        'Number of payments that the balance covers if nothing else is spent from it; at most 1000000.',
    }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      description: 'When dues read these values on chain.',
    }),
  }),
});

const CancellationRequestRef = builder.objectRef<CancellationRequest>('CancellationRequest').implement({
  description:
    'A cancellation that the customer made in the portal. Nothing more is collected. Only the customer can undo it.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      nullable: true,
      description: `Reason that the customer chose: ${CANCELLATION_REASONS.map((reason) => `\`${reason}\``).join(', ')}; null if none was given.`,
    }),
    comment: t.exposeString('comment', {
      nullable: true,
      description: "Comment in the customer's own words; null if none was given.",
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the customer cancelled.' }),
  }),
});

const UpcomingPaymentRef = builder.objectRef<UpcomingPayment>('UpcomingPayment').implement({
  description: 'A payment that is not collected yet.',
  fields: (t) => ({
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When the payment is due.' }),
    lines: t.field({
      type: [PaymentLine],
      description: 'Lines of the payment, in the order in which they are shown.',
      resolve: ({ lines }) => [...lines],
    }),
    total: t.expose('total', {
      type: 'TokenAmount',
      description: "Sum of the lines, in base units of the plan's mint. If it is 0, nothing is collected.",
    }),
    limit: t.expose('limit', {
      type: 'TokenAmount',
      description: 'The most that can be collected in the period, in base units.',
    }),
    isExact: t.exposeBoolean('isExact', {
      description:
        'Whether exactly these lines will be collected. False while another payment of the period is open: less may then be left of the limit.',
    }),
  }),
});

/** What `nextPaymentOf` reads. */
const DUE_DATES = {
  status: true,
  cancelAtPeriodEnd: true,
  nextPaymentAt: true,
  accessUntil: true,
  waivedFrom: true,
  waivedUntil: true,
  plan: { select: { endsAt: true } },
} as const;

const PAUSE = { status: true, pausedFrom: true, pausedUntil: true, pauseKeepsAccess: true } as const;

/** The pause of a subscription that is collected. */
function pauseOf<P extends { readonly status: SubscriptionStatusValue; readonly pausedFrom: Date | null }>(
  subscription: P,
): P | undefined {
  return COLLECTING.includes(subscription.status) && subscription.pausedFrom ? subscription : undefined;
}

const MAX_WAIVERS = 100;

const WaiverKindEnum = builder.enumType('WaiverKind', {
  description: 'Why payments are waived.',
  values: {
    PAUSE: { description: 'The subscription is paused.' },
    FREE: { description: 'The merchant gave the periods for free.' },
    ONE: { description: 'The merchant waived one payment.' },
  } as const,
});

builder.prismaObject('Waiver', {
  description:
    'A range of payments that are not charged. Payments are counted from 0, which is the first one after the trial.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our id of the waiver.' }),
    kind: t.expose('kind', { type: WaiverKindEnum, description: 'Why the payments are waived.' }),
    fromIndex: t.exposeInt('fromIndex', { description: 'Number of the first payment that is waived.' }),
    untilIndex: t.exposeInt('untilIndex', {
      nullable: true,
      description: 'Number of the first payment after it that is charged; null until it is resumed.',
    }),
    keepsAccess: t.exposeBoolean('keepsAccess', { description: 'Whether the customer keeps access.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'In the words of the merchant or the customer; null if none were given.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it ended: early, or when the first payment after it was due; null if it has not ended.',
    }),
  }),
});

/** Named BillingSubscription because Subscription is GraphQL's root type for live updates. */
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
      description: 'Status of the subscription. Use it to decide whether the customer has access.',
    }),
    walletAddress: t.exposeString('walletAddress', { description: 'Wallet that pays. Base58.' }),
    customer: t.relation('customer', { type: Customer, description: 'The customer who pays.' }),
    plan: t.relation('plan', { description: 'The plan of the subscription.' }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: 'JSON object that the merchant gave to the checkout session or the payment link.',
    }),
    trialGranted: t.exposeBoolean('trialGranted', {
      description:
        "Whether the subscription began with the plan's trial. A wallet gets the trial of a plan once.",
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description:
        'When the subscription was created on chain. All due dates are counted from this time plus the trial.',
    }),
    nextPaymentAt: t.field({
      type: 'DateTime',
      nullable: true,
      select: DUE_DATES,
      description:
        'Due date of the next or overdue payment that is charged; null if no more payments will be collected, for example because the plan ends before, or none until the subscription is resumed.',
      resolve: (subscription) => nextPaymentOf(subscription).nextPaymentAt,
    }),
    price: t.field({
      type: Price,
      nullable: true,
      select: { priceId: true },
      description: 'The price that the subscription pays, which is the one of its newest checkout.',
      resolve: ({ priceId }, _args, context) => (priceId === null ? null : loadPrice(context, priceId)),
    }),
    nextAmount: t.expose('nextAmount', {
      type: 'TokenAmount',
      description: "What the next payment will be if nothing changes, in base units of the plan's mint.",
    }),
    upcomingPayment: t.field({
      type: UpcomingPaymentRef,
      nullable: true,
      complexity: 10,
      description:
        'The next or overdue payment with its lines, as it will be collected if nothing changes; null if nothing will be collected.',
      resolve: async ({ id }, _args, context) => (await loadAhead(context, id)).upcomingPayment,
    }),
    limitLeft: t.field({
      type: 'TokenAmount',
      nullable: true,
      complexity: 10,
      description:
        "What is left of the plan's `maxAmount` in the running period on chain, in base units, by the payments that dues knows; null if nothing is collected any more.",
      resolve: async ({ id }, _args, context) => (await loadAhead(context, id)).limitLeft,
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When dues next attempts to collect that payment; null if no attempt is scheduled.',
    }),
    paymentCount: t.exposeInt('paymentCount', { description: 'Number of successful payments.' }),
    failureCount: t.exposeInt('failureCount', {
      description: 'Number of consecutive failed attempts of the payment that is due.',
    }),
    pausedFrom: t.field({
      type: 'DateTime',
      nullable: true,
      select: PAUSE,
      description: 'When the running or next pause begins; null if there is none.',
      resolve: (subscription) => pauseOf(subscription)?.pausedFrom ?? null,
    }),
    pausedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      select: PAUSE,
      description:
        'When a payment is due again after that pause; null if there is none, or if it lasts until it is resumed.',
      resolve: (subscription) => pauseOf(subscription)?.pausedUntil ?? null,
    }),
    pauseKeepsAccess: t.field({
      type: 'Boolean',
      nullable: true,
      select: PAUSE,
      description: 'Whether the customer keeps access in that pause; null if there is none.',
      resolve: (subscription) => pauseOf(subscription)?.pauseKeepsAccess ?? null,
    }),
    waivers: t.relation('waivers', {
      query: { orderBy: [{ fromIndex: 'desc' }, { createdAt: 'desc' }], take: MAX_WAIVERS },
      description: `Ranges of payments that are not charged, latest first, at most ${MAX_WAIVERS}.`,
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      requires: null,
      description:
        'Whether collection stops at the end of the current period. The merchant requested that or, if there is a `cancellationRequest`, the customer.',
    }),
    cancellationRequest: t.field({
      type: CancellationRequestRef,
      nullable: true,
      description: 'Cancellation that the customer made in the portal; null if there is none.',
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
        'When the paid time ends, if the subscription is cancelled or will be at the end of the period, or its plan ends before the next payment; null for other subscriptions. If no paid time was left, it is the time of the cancellation.',
      select: DUE_DATES,
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
        'Balance and approval of the wallet on chain, at most five seconds old; null if an account cannot be read. Counts as 100 fields towards the limit of a query. Errors: `rate_limit_exceeded` after 1000 wallets a minute.',
      resolve: (subscription, _args, context) => loadWalletState(context, subscription),
    }),
    checkoutSession: t.field({
      type: CheckoutSession,
      nullable: true,
      select: (_args, _context, nested) => ({
        sessions: nested({ orderBy: { completedAt: 'desc' }, take: 1 }),
      }),
      description:
        'The checkout session that created or last resumed the subscription; null if there was none.',
      resolve: ({ sessions }) => sessions[0] ?? null,
    }),
    transitions: t.relation('transitions', {
      query: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
      description: 'All changes of status, oldest first.',
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
        description:
          'Payments of the subscription, newest first. Errors: `invalid_request` for a page out of range.',
      },
      { name: 'SubscriptionPaymentConnection', description: "A page of a subscription's payments." },
      { name: 'SubscriptionPaymentEdge', description: "One of a subscription's payments, with its cursor." },
    ),
  }),
});

/** The argument of mutations that change one subscription. */
export const subscriptionArgs = builder.args((t) => ({
  subscription: t.id({ required: true, description: 'Address of the subscription account, or a `lifeId`.' }),
}));
