import { LINE_KINDS, type Line, linesOf } from '../../../domain/billing/price/line.ts';
import { paymentsWhere } from '../../../domain/billing/read/list-payments.ts';
import { endOfPeriod } from '../../../domain/billing/receipt/paid-facts.ts';
import {
  excessAmount,
  refundableAmount,
  refundedAmount,
} from '../../../domain/billing/refund/refunded-amounts.ts';
import { MAX_REFUNDS } from '../../../domain/catalog/money/max-refunds.ts';
import { isId } from '../../../domain/kernel/input/valid-text.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';
import { MAX_MAILS } from '../../../domain/messages/mail/mails-of-payments.ts';
import { notFound } from '../../../errors.ts';
import { listFilter, withConditions } from '../arguments/list-filter.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { loadPaymentMails } from '../loaders/payment-mails.ts';
import { Mail } from './mail.ts';

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description: "Status of one billing period's payment.",
  values: {
    DUE: { description: 'Not collected yet.' },
    SUCCEEDED: { description: 'The transfer has landed on chain.' },
    FAILED: { description: 'Not collected, because the subscription expired or was cancelled first.' },
    MISSED: { description: 'The period ended unpaid; the payment is never collected later.' },
    WAIVED: { description: 'Nothing is collected for it: `waivedReason` says why.' },
  } as const,
});

const PaymentKind = builder.enumType('PaymentKind', {
  description: 'What a payment is for.',
  values: {
    PERIOD: { description: 'A billing period.' },
    EXTRA: {
      description:
        "A transfer of the plan's owner for which nothing was owed: in the trial, or in a period that was waived.",
    },
  } as const,
});

const WaivedReason = builder.enumType('WaivedReason', {
  description: 'Why nothing is collected for a payment.',
  values: {
    NOTHING_OWED: { description: 'Its lines add up to 0.' },
    PAUSED: { description: 'The subscription is paused.' },
    FREE: { description: 'The merchant gave the period for free.' },
    MERCHANT: { description: 'The merchant waived this payment.' },
    DISCOUNT: { description: 'A discount takes all of the price.' },
  } as const,
});

const PaymentLineKind = builder.enumType('PaymentLineKind', {
  description: 'What a line of a payment is for.',
  values: {
    FLAT: { description: "The plan's price for one period." },
    DISCOUNT: { description: 'What a discount takes off; below 0.' },
    EXTRA: { description: "An amount that the plan's owner collected although nothing was owed." },
    OVER_LIMIT: {
      description: 'What does not fit into the limit of the period on chain; below 0.',
    },
    OTHER: { description: 'A kind of a later release that runs beside this one.' },
  } as const,
});

export const PaymentLine = builder.objectRef<Line>('PaymentLine').implement({
  description: 'One line of a payment. Lines never change.',
  fields: (t) => ({
    kind: t.field({
      type: PaymentLineKind,
      description: 'What the line is for.',
      resolve: (line) => LINE_KINDS.find((kind) => kind === line.kind) ?? 'OTHER',
    }),
    text: t.exposeString('text', { description: "Text for the customer, such as the plan's name then." }),
    amount: t.expose('amount', {
      type: 'SignedTokenAmount',
      description: "Amount in base units of the plan's mint; below 0 for a reduction.",
    }),
  }),
});

export const AttemptStatus = builder.enumType('AttemptStatus', {
  description: 'Status of one attempt to collect a payment.',
  values: {
    SUBMITTED: { description: 'Its transaction was sent and may still land on chain.' },
    SUCCEEDED: { description: 'The transfer has landed on chain.' },
    FAILED: { description: 'The payer could not pay; `failureCode` says why.' },
    VOID: {
      description: 'Its transaction can no longer land. This does not count as a failure of the payer.',
    },
  } as const,
});

export const FailureCode = builder.enumType('FailureCode', {
  description: 'Why a payer could not pay.',
  values: {
    INSUFFICIENT_FUNDS: { description: 'The token account of the payer holds less than the price.' },
    APPROVAL_REVOKED: {
      description: "The payer's approval was revoked, or replaced by the approval of another app.",
    },
    ACCOUNT_FROZEN: { description: 'The issuer of the token has frozen the token account of the payer.' },
    ACCOUNT_CLOSED: { description: 'The token account of the payer is closed.' },
  } as const,
});

export const Attempt = builder.prismaObject('Attempt', {
  description: 'One attempt to collect a payment.',
  fields: (t) => ({
    status: t.expose('status', { type: AttemptStatus, description: 'Status of the attempt.' }),
    failureCode: t.expose('failureCode', {
      type: FailureCode,
      nullable: true,
      description: 'Why the payer could not pay; null unless the attempt failed.',
    }),
    amountRequired: t.expose('amountRequired', {
      type: 'TokenAmount',
      nullable: true,
      description: 'Amount that was required, in base units; null unless the attempt failed.',
    }),
    balanceAvailable: t.expose('balanceAvailable', {
      type: 'TokenAmount',
      nullable: true,
      description: 'Balance of the payer at that time, in base units; null unless the attempt failed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the attempt began.' }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the outcome became known; null until then.',
    }),
  }),
});

export const Payment = builder.prismaObject('Payment', {
  description: 'The payment for one billing period of a subscription.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'Status of the payment.' }),
    amount: t.expose('amount', {
      type: 'TokenAmount',
      description: "Amount that is owed, in base units of the plan's mint: the sum of `lines`.",
    }),
    paidAmount: t.field({
      type: 'TokenAmount',
      nullable: true,
      select: { paidAmount: true },
      description:
        "Amount that was transferred, in base units; null until the payment succeeds. It differs from `amount` if the plan's owner collected another amount with a transaction of their own, or if only a part fitted into the limit.",
      resolve: ({ paidAmount }) => paidAmount || null,
    }),
    kind: t.expose('kind', { type: PaymentKind, description: 'What the payment is for.' }),
    lines: t.field({
      type: [PaymentLine],
      select: { lines: true },
      description:
        'Lines of the payment, in the order in which they are shown. Empty for a payment that dues recorded before it kept lines.',
      resolve: (payment) => [...linesOf(payment)],
    }),
    waivedReason: t.expose('waivedReason', {
      type: WaivedReason,
      nullable: true,
      description: 'Why nothing is collected; null unless the payment is waived.',
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When the payment was first due.' }),
    periodEnd: t.field({
      type: 'DateTime',
      select: { dueAt: true, subscription: { select: { plan: { select: { intervalSeconds: true } } } } },
      description: 'End of the billing period that the payment is for, which starts at `dueAt`.',
      resolve: ({ dueAt, subscription }) =>
        endOfPeriod({ dueAt, intervalSeconds: subscription.plan.intervalSeconds }),
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the transfer landed on chain; null until then.',
    }),
    number: t.exposeInt('number', {
      nullable: true,
      description:
        "Number of the payment among the subscription's successful payments, from 1; null until it succeeds.",
    }),
    signature: t.exposeString('signature', {
      nullable: true,
      description: 'Signature of the transaction with the transfer, base58; null until it succeeds.',
    }),
    failureCode: t.expose('failureCode', {
      type: FailureCode,
      nullable: true,
      description: 'Why the last failed attempt failed; null if no attempt failed.',
    }),
    collectedByUs: t.exposeBoolean('collectedByUs', {
      description:
        "False if the plan's owner collected the payment with a transaction of their own; otherwise true, also before the payment is collected.",
    }),
    finalized: t.exposeBoolean('finalized', {
      description: 'Whether the transaction is finalized and cannot be rolled back.',
    }),
    feeLamports: t.field({
      type: 'TokenAmount',
      nullable: true,
      select: { attempts: { select: { feeLamports: true } } },
      description:
        'Fees that dues paid to collect the payment, in lamports: its share of the transaction fees of all attempts. Null until a transaction has landed.',
      resolve: ({ attempts }) => totalFee(attempts),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the payment was created.' }),
    receipt: t.relation('receipt', {
      nullable: true,
      description: 'Receipt of the payment; null until the payment is finalized.',
    }),
    subscription: t.relation('subscription', { description: 'The subscription that the payment is for.' }),
    attempts: t.relation('attempts', {
      query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      description: 'All attempts to collect the payment, oldest first.',
    }),
    mails: t.field({
      type: [Mail],
      // It reads the events of the payment's subscription.
      complexity: 100,
      description: `Mails about the payment that dues sent or will send, oldest first, at most ${MAX_MAILS}: receipts, failures, refunds and reminders. They are kept for 30 days by default.`,
      resolve: ({ id }, _args, context) => loadPaymentMails(context, id),
    }),
    refunds: t.relation('refunds', {
      query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      description: `All refunds of the payment, oldest first; at most ${MAX_REFUNDS}.`,
    }),
    refundedAmount: t.field({
      type: 'TokenAmount',
      select: { refunds: { select: { status: true, amount: true } } },
      description: 'Total of the refunds that have succeeded, in base units.',
      resolve: ({ refunds }) => refundedAmount(refunds),
    }),
    excessRefundedAmount: t.field({
      type: 'TokenAmount',
      select: { refunds: { select: { excess: { select: { amount: true } } } } },
      description:
        'Total that your wallet sent to the customer beyond the refunds, in base units, because a refund was sent again. `refundedAmount` does not contain it.',
      resolve: ({ refunds }) => excessAmount(refunds),
    }),
    refundableAmount: t.field({
      type: 'TokenAmount',
      select: {
        paidAmount: true,
        status: true,
        finalized: true,
        refunds: { select: { status: true, amount: true, excess: { select: { amount: true } } } },
      },
      description:
        'Maximum amount of a new refund, in base units: `paidAmount` less its pending and succeeded refunds, and less `excessRefundedAmount`. 0 unless the payment succeeded and is finalized.',
      resolve: (payment) => refundableAmount(payment, payment.refunds),
    }),
  }),
});

const PAYMENT_FILTER = listFilter('PaymentFilter', 'payments', (t) => ({
  subscriptionId: t.id({
    description:
      'Address of a subscription account, for the payments of all subscriptions at this address; or a `lifeId`, for those of one subscription.',
  }),
  planId: t.string({ description: 'Only payments for the plan with this `planId`.' }),
  status: t.field({ type: PaymentStatus, description: 'Only payments in this status.' }),
  customer: t.string({
    description: 'Only payments of customers with this email (ignoring case) or this `customerId`.',
  }),
  signature: t.string({
    description:
      'Only payments that the transaction with this signature collected or attempted to collect. Base58.',
  }),
  failureCode: t.field({
    type: FailureCode,
    description:
      'Only payments whose last failed attempt failed for this reason, including payments that were collected later.',
  }),
  from: t.field({ type: 'DateTime', description: 'Only payments created at this time or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only payments created before this time.' }),
}));

builder.queryFields((t) => ({
  payment: t.prismaField({
    type: Payment,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the payment.' }) },
    description: 'One payment. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: async (query, _root, { id }, context) => {
      const where = { ...scopeOf(context), id };
      const payment = isId(id) ? await context.app.db.payment.findFirst({ ...query, where }) : null;
      if (!payment) throw notFound('payment', 'id');
      return payment;
    },
  }),
  payments: t.prismaConnection(
    {
      type: Payment,
      cursor: 'id',
      args: {
        filter: t.arg({ type: PAYMENT_FILTER.type, description: 'Filter; default all payments.' }),
        ...PAYMENT_FILTER.olderArguments(t.arg),
      },
      description:
        'Payments, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `subscriptionId`, `planId`, `customer`, `signature` or `to`, or the field of the filter, for example `filter.to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.payment.count({
          where: await withConditions(args, (conditions) => paymentsWhere(db, scopeOf(context), conditions)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await withConditions(args, (conditions) => paymentsWhere(db, scope, conditions));
        const { page, condition } = await replaceCursor(query, (id) =>
          db.payment.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        return db.payment.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PaymentConnection', description: 'A page of payments.' },
    { name: 'PaymentEdge', description: 'One payment of a page, with its cursor.' },
  ),
}));

function totalFee(attempts: readonly { readonly feeLamports: bigint | null }[]): bigint | null {
  const fees = attempts.flatMap(({ feeLamports }) => feeLamports ?? []);
  return fees.length === 0 ? null : fees.reduce((sum, fee) => sum + fee);
}
