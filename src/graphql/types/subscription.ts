import { whatComesNext } from '../../domain/subscription/what-comes-next.ts';
import { builder } from '../builder.ts';
import { CheckoutSession } from './checkout-session.ts';
import { Customer } from './customer.ts';
import { PaymentStatus } from './payment.ts';

export const SubscriptionStatus = builder.enumType('SubscriptionStatus', {
  description: 'Whether a subscriber is to be served.',
  values: {
    ACTIVE: { description: 'Payments are collected: provide access.' },
    PAST_DUE: { description: 'A payment failed and is tried again: show a warning.' },
    CANCELLED: { description: 'Never charged again: revoke access, at `accessUntil` where it is set.' },
    EXPIRED: { description: 'Too many failures in a row: revoke access, offer to subscribe again.' },
  } as const,
});

export const SubscriptionTransition = builder.prismaObject('SubscriptionTransition', {
  description: "One change of a subscription's status.",
  fields: (t) => ({
    from: t.expose('from', {
      type: SubscriptionStatus,
      nullable: true,
      description: 'Status before; null for the first.',
    }),
    to: t.expose('to', { type: SubscriptionStatus, description: 'Status after.' }),
    reason: t.exposeString('reason', {
      description:
        'Why: `subscribed`, `payment_failed`, `payment_recovered`, `too_many_failures`, `cancelled_on_chain`, `cancelled_by_merchant`, `delegation_closed`, `authority_revoked`, `plan_over` (it ended or was deleted on chain), `resumed_on_chain` or `reactivated`.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
  }),
});

/** GraphQL owns the word Subscription for its live root type. */
export const BillingSubscription = builder.prismaObject('Subscription', {
  name: 'BillingSubscription',
  description:
    'One life of a subscription account on chain. After the account was closed, the same wallet can subscribe again at the same address: that is another one.',
  fields: (t) => ({
    id: t.exposeID('address', { description: 'Address of the subscription account. Base58.' }),
    lifeId: t.exposeID('id', {
      description: 'A UUID that tells this life from others at the same address.',
    }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Whether to serve the subscriber.' }),
    walletAddress: t.exposeString('walletAddress', { description: 'Wallet that pays. Base58.' }),
    customer: t.relation('customer', { type: Customer, description: 'Who pays.' }),
    plan: t.relation('plan', { description: 'What is paid for.' }),
    metadata: t.expose('metadata', {
      type: 'JSON',
      description: "The checkout session's metadata: an object, as the merchant gave it.",
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'Start on chain; all due dates are counted from here, plus the trial.',
    }),
    nextPaymentAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Due date of the payment that comes next, or is overdue now; null where nothing will be collected any more.',
      resolve: (subscription) => whatComesNext(subscription).nextPaymentAt,
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When that payment is tried; null while nothing is to be collected.',
    }),
    paymentCount: t.exposeInt('paymentCount', { description: 'Successful payments so far.' }),
    failureCount: t.exposeInt('failureCount', {
      description: 'Consecutive failures of the payment that is due.',
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      description: 'Whether the merchant stops collection when the running period ends.',
    }),
    cancelledAt: t.expose('cancelledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was cancelled; null where it was not.',
    }),
    accessUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Until when a subscriber has paid who is cancelled, or will be at the end of the period; null for others, and where nothing is left.',
      resolve: (subscription) => whatComesNext(subscription).accessUntil,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first known here.' }),
    checkoutSession: t.field({
      type: CheckoutSession,
      nullable: true,
      select: (_args, _context, nested) => ({
        sessions: nested({ orderBy: { completedAt: 'desc' }, take: 1 }),
      }),
      description:
        'The session that it came from, or last came back through; null where it was made without one.',
      resolve: ({ sessions }) => sessions[0] ?? null,
    }),
    transitions: t.relation('transitions', {
      query: { orderBy: [{ at: 'asc' }, { id: 'asc' }] },
      description: 'Every change of its status, first to last.',
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
      { name: 'SubscriptionPaymentEdge', description: "One of a subscription's payments." },
    ),
  }),
});
