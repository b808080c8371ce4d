import { paymentsWhere } from '../../../domain/billing/read/list-payments.ts';
import { isId } from '../../../domain/input/valid-text.ts';
import { MAX_REFUNDS } from '../../../domain/money/max-refunds.ts';
import { MAX_TOTAL } from '../../../domain/paging/page.ts';
import { NEWEST_FIRST, PLACE } from '../../../domain/paging/place.ts';
import { refundableAmount, refundedAmount } from '../../../domain/refund/refunded-amounts.ts';
import { notFound } from '../../../errors.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { replaceCursor } from '../replace-cursor.ts';
import { withoutNulls } from '../without-nulls.ts';

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description: "Status of one billing period's payment.",
  values: {
    DUE: { description: 'Not collected yet.' },
    SUCCEEDED: { description: 'The transfer has landed on chain.' },
    FAILED: { description: 'Not collected, because the subscription expired or was cancelled first.' },
    MISSED: { description: 'The period ended unpaid; the payment is never collected later.' },
  } as const,
});

export const AttemptStatus = builder.enumType('AttemptStatus', {
  description: 'Status of one attempt to collect a payment.',
  values: {
    SUBMITTED: { description: 'Its transaction may still land.' },
    SUCCEEDED: { description: 'The transfer has landed on chain.' },
    FAILED: { description: 'The payer could not pay; `failureCode` says why.' },
    VOID: { description: 'Its transaction never landed; this does not count as a failure of the payer.' },
  } as const,
});

export const FailureCode = builder.enumType('FailureCode', {
  description: 'Why a payer could not pay.',
  values: {
    INSUFFICIENT_FUNDS: { description: 'Too little in the token account.' },
    APPROVAL_REVOKED: { description: 'The approval was revoked, or replaced by another.' },
    ACCOUNT_FROZEN: { description: 'The token account is frozen.' },
    ACCOUNT_CLOSED: { description: 'The token account is closed.' },
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
      description: 'The required amount in base units; null unless the attempt failed.',
    }),
    balanceAvailable: t.expose('balanceAvailable', {
      type: 'TokenAmount',
      nullable: true,
      description: 'The balance of the payer at that time, in base units; null unless the attempt failed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the attempt began.' }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the outcome was known; null before.',
    }),
  }),
});

export const Payment = builder.prismaObject('Payment', {
  description: 'The payment of one billing period.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'Status of the payment.' }),
    amount: t.expose('amount', { type: 'TokenAmount', description: "In base units of the plan's mint." }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When the payment was first due.' }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the transfer landed; null before.',
    }),
    number: t.exposeInt('number', {
      nullable: true,
      description: "Number among the subscription's successful payments, from 1; null until it succeeds.",
    }),
    signature: t.exposeString('signature', {
      nullable: true,
      description: 'Signature of the transaction with the transfer, base58; null until it succeeds.',
    }),
    failureCode: t.expose('failureCode', {
      type: FailureCode,
      nullable: true,
      description: 'Why its last failed attempt failed; null if none failed.',
    }),
    collectedByUs: t.exposeBoolean('collectedByUs', {
      description: "Whether a transaction of dues collected it; false if the plan's owner did.",
    }),
    finalized: t.exposeBoolean('finalized', {
      description: 'Whether the transaction is finalized and cannot be rolled back.',
    }),
    feeLamports: t.field({
      type: 'TokenAmount',
      nullable: true,
      select: { attempts: { select: { feeLamports: true } } },
      description:
        'Cost of the collection for dues in lamports: its share of the transaction fees of all attempts; null until one transaction has landed.',
      resolve: ({ attempts }) => feeOf(attempts),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the payment was created.' }),
    receipt: t.relation('receipt', {
      nullable: true,
      description: 'Its receipt; null until the payment is final.',
    }),
    subscription: t.relation('subscription', { description: 'The subscription that it pays for.' }),
    attempts: t.relation('attempts', {
      query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      description: 'All attempts, first to last.',
    }),
    refunds: t.relation('refunds', {
      query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      description: `All refunds, first to last; at most ${MAX_REFUNDS}.`,
    }),
    refundedAmount: t.field({
      type: 'TokenAmount',
      select: { refunds: { select: { status: true, amount: true } } },
      description: 'Sum of its refunds that have succeeded, in base units.',
      resolve: ({ refunds }) => refundedAmount(refunds),
    }),
    refundableAmount: t.field({
      type: 'TokenAmount',
      select: {
        amount: true,
        status: true,
        finalized: true,
        refunds: { select: { status: true, amount: true } },
      },
      description:
        'What a new refund may have at most, in base units: what pending and succeeded refunds leave. 0 unless the payment succeeded and is final.',
      resolve: (payment) => refundableAmount(payment, payment.refunds),
    }),
  }),
});

builder.queryFields((t) => ({
  payment: t.prismaField({
    type: Payment,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the payment.' }) },
    description: 'A payment. Errors: `authentication_error`; `not_found`, param `id`.',
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
        subscriptionId: t.arg.id({
          description:
            'Only payments of all subscriptions at this address, or of the one with this `lifeId`.',
        }),
        planId: t.arg.string({ description: 'Only payments of the plan with this id of the merchant.' }),
        status: t.arg({ type: PaymentStatus, description: 'Only payments in this status.' }),
        customer: t.arg.string({
          description:
            'Only payments of the customer with this email (ignoring case) or this id of the merchant.',
        }),
        signature: t.arg.string({
          description:
            'Only payments that the transaction with this signature collects or tried to collect. Base58.',
        }),
        failureCode: t.arg({
          type: FailureCode,
          description:
            'Only payments whose last failed attempt failed for this reason, also those that were collected later.',
        }),
        from: t.arg({ type: 'DateTime', description: 'Only payments created at this time or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Only payments created before this time.' }),
      },
      description:
        'Payments, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `subscriptionId`, `planId`, `customer`, `signature` or `to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.payment.count({
          where: await paymentsWhere(db, scopeOf(context), withoutNulls(args)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await paymentsWhere(db, scope, withoutNulls(args));
        const { page, condition } = await replaceCursor(query, (id) =>
          db.payment.findFirst({ where: { ...scope, id }, select: PLACE }),
        );
        return db.payment.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PaymentConnection', description: 'A page of payments.' },
    { name: 'PaymentEdge', description: 'An edge of a page of payments.' },
  ),
}));

function feeOf(attempts: readonly { readonly feeLamports: bigint | null }[]): bigint | null {
  const parts = attempts.flatMap(({ feeLamports }) => feeLamports ?? []);
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part);
}
