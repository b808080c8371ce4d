import { findRefund, sendable } from '../../../domain/billing/refund/find-refund.ts';
import { mayBeInFlight, mayBeSent } from '../../../domain/billing/refund/may-be-sent.ts';
import { refundsWhere } from '../../../domain/billing/refund/refunds-where.ts';
import { solanaPayUrl } from '../../../domain/billing/refund/solana-pay-url.ts';
import { LIST_POSITION, NEWEST_FIRST } from '../../../domain/kernel/paging/list-position.ts';
import { MAX_TOTAL } from '../../../domain/kernel/paging/numbered-page.ts';
import type { RefundExcess as ExcessRow } from '../../../generated/prisma/client.ts';
import { replaceCursor } from '../arguments/replace-cursor.ts';
import { withoutNulls } from '../arguments/without-nulls.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { loadDecimals } from '../loaders/asset-decimals.ts';

export const RefundStatus = builder.enumType('RefundStatus', {
  description: 'Status of a refund.',
  values: {
    PENDING: { description: 'Waits for your wallet to send it, or was sent and is not finalized yet.' },
    SUCCEEDED: { description: 'Its transfer is finalized on chain.' },
    CANCELLED: {
      description: 'You cancelled the refund. If its transfer lands nevertheless, the refund succeeds.',
    },
    EXPIRED: {
      description:
        'Not sent within seven days. If its transfer lands within seven more days, the refund succeeds.',
    },
  } as const,
});

const RefundExcess = builder
  .objectRef<Pick<ExcessRow, 'signature' | 'amount' | 'sentAt'>>('RefundExcess')
  .implement({
    description: 'A further transfer of a refund that was already paid: the customer got too much.',
    fields: (t) => ({
      signature: t.exposeString('signature', {
        description: 'Signature of the transaction with the transfer, base58.',
      }),
      amount: t.expose('amount', { type: 'TokenAmount', description: 'Amount in base units.' }),
      sentAt: t.expose('sentAt', { type: 'DateTime', description: 'When the transfer landed on chain.' }),
    }),
  });

/** Maximum further transfers that are shown of a refund. */
const MAX_EXCESS = 50;

export const Refund = builder.prismaObject('Refund', {
  description:
    'A full or partial refund of a payment. dues holds no money: your wallet sends the refund, with `refundTransaction` or `solanaPayUrl`, and dues finds the transfer on chain.',
  fields: (t) => ({
    id: t.exposeID('id', { requires: null, description: 'A UUID.' }),
    status: t.expose('status', {
      type: RefundStatus,
      requires: null,
      description: 'Status of the refund.',
    }),
    amount: t.expose('amount', {
      type: 'TokenAmount',
      requires: null,
      description: "Amount in base units of the plan's mint.",
    }),
    reason: t.exposeString('reason', {
      requires: null,
      nullable: true,
      description: 'Reason in your own words; null if none was given.',
    }),
    reference: t.exposeString('reference', {
      requires: null,
      description: 'Address that the transfer includes so that dues can find it. Base58.',
    }),
    recipient: t.string({
      select: { payment: { select: { subscription: { select: { walletAddress: true } } } } },
      description: 'Wallet of the customer, which receives the refund. Base58.',
      resolve: ({ payment }) => payment.subscription.walletAddress,
    }),
    solanaPayUrl: t.string({
      nullable: true,
      select: sendable.include,
      description:
        'Solana Pay transfer request, which you open or scan with your wallet. A transfer from another wallet does not count. Null if the refund is not pending or was sent, if too little of the payment is left for it, for two minutes after `refundTransaction`, whose transaction may still land, or while the decimals of the token cannot be read. A link that you keep still moves money: do not open it twice.',
      resolve: async (refund, _args, context) => {
        const now = context.app.clock.now();
        if (!mayBeSent(refund, now) || mayBeInFlight(refund, now)) return null;
        const { mint } = refund.payment.subscription.plan;
        const decimals = await loadDecimals(context, refund.environment, mint);
        return decimals === null ? null : solanaPayUrl(refund, decimals);
      },
    }),
    inFlight: t.boolean({
      select: { status: true, createdAt: true, requestedAt: true, sentSignature: true },
      description:
        'Whether the refund is pending and its transfer was seen, or a transaction of `refundTransaction` may still land: within two minutes of that mutation. The refund must not be sent meanwhile.',
      resolve: (refund, _args, { app }) => mayBeInFlight(refund, app.clock.now()),
    }),
    sentSignature: t.string({
      nullable: true,
      select: { status: true, sentSignature: true },
      description:
        'Signature of a transaction that pays the refund and is not finalized yet, base58; null if none was seen. The refund must not be sent again.',
      resolve: ({ status, sentSignature }) => (status === 'SUCCEEDED' ? null : sentSignature),
    }),
    excess: t.field({
      type: [RefundExcess],
      select: { excess: { orderBy: [{ sentAt: 'asc' }, { signature: 'asc' }], take: MAX_EXCESS } },
      description: `Further transfers of the refund from your wallet after the first, which settled it, oldest first, at most ${MAX_EXCESS}: the customer got too much. Also the event \`payment.refunded_again\`.`,
      resolve: ({ excess }) => excess,
    }),
    signature: t.exposeString('signature', {
      nullable: true,
      description: 'Signature of the transaction with the transfer, base58; null until the refund succeeds.',
    }),
    refundedAt: t.expose('refundedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the transfer landed on chain; null until the refund succeeds.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: null,
      description: 'When the refund was created.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      requires: null,
      description: 'When the refund expires if it is not sent.',
    }),
    payment: t.relation('payment', { description: 'The payment that is refunded.' }),
  }),
});

builder.queryFields((t) => ({
  refund: t.prismaField({
    type: Refund,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'Id of the refund.' }) },
    description: 'One refund. Errors: `authentication_error`; `not_found`, param `id`.',
    resolve: (query, _root, { id }, context) => findRefund(context.app.db, scopeOf(context), id, query),
  }),
  refunds: t.prismaConnection(
    {
      type: Refund,
      cursor: 'id',
      args: {
        paymentId: t.arg.id({ description: 'Only refunds of this payment.' }),
        status: t.arg({ type: RefundStatus, description: 'Only refunds in this status.' }),
        from: t.arg({ type: 'DateTime', description: 'Only refunds created at this time or later.' }),
        to: t.arg({ type: 'DateTime', description: 'Only refunds created before this time.' }),
      },
      description:
        'Refunds, newest first. Errors: `authentication_error`; `invalid_request` for a page out of range, or param `paymentId` or `to`.',
      totalCount: (_root, args, context) =>
        context.app.db.refund.count({
          where: refundsWhere(scopeOf(context), withoutNulls(args)),
          take: MAX_TOTAL,
        }),
      resolve: async (query, _root, args, context) => {
        const scope = scopeOf(context);
        const { refund } = context.app.db;
        const where = refundsWhere(scope, withoutNulls(args));
        const { page, condition } = await replaceCursor(query, (id) =>
          refund.findFirst({ where: { ...scope, id }, select: LIST_POSITION }),
        );
        return refund.findMany({ ...page, where: { AND: [where, condition] }, orderBy: NEWEST_FIRST });
      },
    },
    { name: 'RefundConnection', description: 'A page of refunds.' },
    { name: 'RefundEdge', description: 'One refund of a page, with its cursor.' },
  ),
}));
