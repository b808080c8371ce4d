import { MAX_TOTAL } from '../../domain/merchant/page.ts';
import { NEWEST_FIRST, PLACE } from '../../domain/merchant/place.ts';
import { paymentsWhere } from '../../domain/payment/list-payments.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { given } from '../given.ts';
import { seek } from '../seek.ts';

export const PaymentStatus = builder.enumType('PaymentStatus', {
  description: "What became of one billing period's payment.",
  values: {
    DUE: { description: 'Not collected yet.' },
    SUCCEEDED: { description: 'The money has moved.' },
    FAILED: { description: 'Given up: the subscription expired or was cancelled first.' },
    MISSED: { description: 'Its period passed unpaid; it is never collected later.' },
  } as const,
});

export const AttemptStatus = builder.enumType('AttemptStatus', {
  description: 'What became of one try at a payment.',
  values: {
    SUBMITTED: { description: 'In a transaction that may still land.' },
    SUCCEEDED: { description: 'The money has moved.' },
    FAILED: { description: 'The payer could not pay; `failureCode` says why.' },
    VOID: { description: 'Its transaction never landed: says nothing of the payer.' },
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
  description: 'One try at a payment.',
  fields: (t) => ({
    status: t.expose('status', { type: AttemptStatus, description: 'What became of it.' }),
    failureCode: t.expose('failureCode', {
      type: FailureCode,
      nullable: true,
      description: 'Why the payer could not pay; null unless it failed.',
    }),
    amountRequired: t.expose('amountRequired', {
      type: 'TokenAmount',
      nullable: true,
      description: 'What was asked for, in base units; null unless it failed.',
    }),
    balanceAvailable: t.expose('balanceAvailable', {
      type: 'TokenAmount',
      nullable: true,
      description: 'What the payer had then, in base units; null unless it failed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its outcome was known; null until then.',
    }),
  }),
});

export const Payment = builder.prismaObject('Payment', {
  description: "One billing period's collection.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'A UUID.' }),
    status: t.expose('status', { type: PaymentStatus, description: 'What became of it.' }),
    amount: t.expose('amount', { type: 'TokenAmount', description: "In base units of the plan's mint." }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'When it was first due.' }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the money moved; null until then.',
    }),
    number: t.exposeInt('number', {
      nullable: true,
      description: "1, 2, 3 ... among the subscription's successful payments; null until it succeeded.",
    }),
    signature: t.exposeString('signature', {
      nullable: true,
      description: 'Signature of the transaction that moved the money, base58; null until it succeeded.',
    }),
    collectedByUs: t.exposeBoolean('collectedByUs', {
      description: "False where somebody else's transaction collected it: the plan's owner may.",
    }),
    finalized: t.exposeBoolean('finalized', {
      description: 'Whether its transaction can no longer be rolled back.',
    }),
    feeLamports: t.field({
      type: 'TokenAmount',
      nullable: true,
      select: { attempts: { select: { feeLamports: true } } },
      description:
        'What collecting it has cost dues in lamports: its parts of the fees of the transactions that tried; null until one of them has landed.',
      resolve: ({ attempts }) => feeOf(attempts),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written down.' }),
    subscription: t.relation('subscription', { description: 'What it pays for.' }),
    attempts: t.relation('attempts', {
      query: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      description: 'Every try at it, first to last.',
    }),
  }),
});

builder.queryFields((t) => ({
  payments: t.prismaConnection(
    {
      type: Payment,
      cursor: 'id',
      args: {
        subscriptionId: t.arg.id({
          description: 'Only those of the subscription at this address, all its lives, or of one `lifeId`.',
        }),
        planId: t.arg.string({ description: "Only those of this plan: the merchant's own id." }),
        status: t.arg({ type: PaymentStatus, description: 'Only payments in this status.' }),
        from: t.arg({ type: 'DateTime', description: 'Written down at this moment or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Written down before this moment.' }),
      },
      description:
        'Payments, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `subscriptionId`, `planId` or `to`.',
      totalCount: async (_root, args, context) => {
        const { db } = context.app;
        return db.payment.count({
          where: await paymentsWhere(db, scopeOf(context), given(args)),
          take: MAX_TOTAL,
        });
      },
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { db } = context.app;
        const where = await paymentsWhere(db, scope, given(args));
        const { page, condition } = await seek(query, (id) =>
          db.payment.findFirst({ where: { ...scope, id }, select: PLACE }),
        );
        return db.payment.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'PaymentConnection', description: 'A page of payments.' },
    { name: 'PaymentEdge', description: 'One of payments.' },
  ),
}));

function feeOf(attempts: readonly { readonly feeLamports: bigint | null }[]): bigint | null {
  const parts = attempts.flatMap(({ feeLamports }) => feeLamports ?? []);
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part);
}
