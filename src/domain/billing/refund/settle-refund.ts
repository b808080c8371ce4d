import type { AppContext } from '../../../app.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import type { ChainTransaction } from '../../../chain/rpc/chain-transaction.ts';
import type { RefundTransfer } from '../../../chain/transactions/refund-transactions.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { derivedId } from '../../../db/derived-id.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import type { Customer } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../../jobs/in-transaction.ts';
import { metadataOf } from '../../kernel/input/metadata-of.ts';
import { recordEvent } from '../../messages/event/record-event.ts';
import { publishPayments } from '../settle/publish-payments.ts';
import type { SendableRefund } from './find-refund.ts';
import { nextCheckOf, PAYABLE } from './refund-status.ts';
import { refundedAmount } from './refunded-amounts.ts';

/** A transfer that pays a refund, in a final transaction. */
export interface FinalTransfer extends RefundTransfer {
  readonly transaction: Pick<ChainTransaction, 'signature' | 'slot' | 'blockTime'>;
}

/**
 * The outcome for a transfer: `settled` the refund, `excess` if another transfer has settled it, or
 * `known` if the transfer was recorded before, for this refund or for another one.
 */
export type RefundOutcome = 'settled' | 'excess' | 'known';

/**
 * Records a transfer that pays a refund, with its event, in one database transaction and exactly
 * once. The first one settles the refund. Each further one is an excess: the customer got too much.
 */
export async function settleRefund(
  ctx: AppContext,
  refund: SendableRefund,
  transfer: FinalTransfer,
): Promise<RefundOutcome> {
  const { index, transaction } = transfer;
  const { signature, slot, blockTime } = transaction;
  const refundedAt = blockTime === null ? ctx.clock.now() : dateOf(blockTime);
  const { id, merchantId, environment, payment } = refund;
  const { id: paymentId, subscriptionId } = payment;
  let outcome: RefundOutcome;
  try {
    outcome = await inTransaction(ctx, async (tx): Promise<RefundOutcome> => {
      // Locked, so that the total in each event includes the payment's earlier refunds.
      await tx.$executeRaw`SELECT FROM "Subscription" WHERE "id" = ${subscriptionId}::uuid FOR NO KEY UPDATE`;
      const { count } = await tx.refund.updateMany({
        where: { id, status: { in: [...PAYABLE] } },
        data: {
          status: 'SUCCEEDED',
          signature,
          transferIndex: index,
          slot,
          refundedAt,
          sentSignature: null,
          nextCheckAt: nextCheckOf({ ...refund, status: 'SUCCEEDED' }, ctx.clock.now()),
          checkedTo: null,
          checkingFrom: null,
          checkingTo: null,
        },
      });
      if (count === 0) return recordExcess(tx, refund, transfer, { sentAt: refundedAt, at: ctx.clock.now() });
      await recordRefunded(tx, refund, transfer, ctx.clock.now());
      return 'settled';
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'known';
    throw error;
  }
  if (outcome === 'known') return outcome;
  if (outcome === 'excess') {
    ctx.log.error({ refund: id, environment, signature }, 'refund sent again: the customer got too much');
  }
  await publishPayments(ctx, [{ merchantId, environment, subscriptionId, paymentId }]);
  return outcome;
}

/** Records a further transfer of a settled refund, unless the transfer was recorded before. */
async function recordExcess(
  tx: DbTransaction,
  { id: refundId, merchantId, environment, payment }: SendableRefund,
  transfer: FinalTransfer,
  { sentAt, at }: { readonly sentAt: Date; readonly at: Date },
): Promise<RefundOutcome> {
  const { index: transferIndex, amount, transaction } = transfer;
  const { signature, slot } = transaction;
  const transferKey = { environment, signature, transferIndex };
  if (await tx.refund.findFirst({ where: transferKey, select: { id: true } })) return 'known';
  const row = { ...transferKey, refundId, amount, slot, sentAt };
  const { count } = await tx.refundExcess.createMany({ data: [row], skipDuplicates: true });
  if (count === 0) return 'known';
  const { _sum } = await tx.refundExcess.aggregate({ where: { refundId }, _sum: { amount: true } });
  await recordEvent(tx, {
    id: idOfEvent('refunded again', payment, transfer),
    merchantId,
    environment,
    type: 'payment.refunded_again',
    subscriptionId: payment.subscription.id,
    data: {
      ...(await aboutPayment(tx, payment)),
      refundId,
      signature,
      amount: String(amount),
      excessAmount: String(_sum.amount ?? amount),
    },
    at,
  });
  return 'excess';
}

/** The id of a transfer's event, which is the same when a database that lost it finds the transfer again. */
function idOfEvent(
  what: string,
  { environment, periodStart }: SendableRefund['payment'],
  { index, transaction }: FinalTransfer,
): string {
  return derivedId(periodStart, what, environment, transaction.signature, index);
}

/** The fields that both events have. */
async function aboutPayment(tx: DbTransaction, payment: SendableRefund['payment']) {
  const { id: paymentId, paidAmount, subscription } = payment;
  const { email, customerId } = await buyerOf(tx, payment);
  const { address, walletAddress, plan } = subscription;
  return {
    subscriptionId: address,
    planId: plan.planId,
    customer: { email, customerId, walletAddress },
    paymentId,
    paymentAmount: String(paidAmount),
    metadata: metadataOf(subscription),
  };
}

async function recordRefunded(
  tx: DbTransaction,
  { id: refundId, merchantId, environment, amount, reason, payment }: SendableRefund,
  transfer: FinalTransfer,
  at: Date,
): Promise<void> {
  const { id: paymentId, subscription } = payment;
  const refunds = await tx.refund.findMany({ where: { paymentId }, select: { status: true, amount: true } });
  await recordEvent(tx, {
    id: idOfEvent('refunded', payment, transfer),
    merchantId,
    environment,
    type: 'payment.refunded',
    subscriptionId: subscription.id,
    data: {
      ...(await aboutPayment(tx, payment)),
      refundId,
      signature: transfer.transaction.signature,
      amount: String(amount),
      refundedAmount: String(refundedAmount(refunds)),
      reason,
    },
    at,
  });
}

/**
 * The customer of a payment: the one on its receipt, because the subscription may have moved to
 * another customer with the same wallet since. Without a receipt, the subscription's customer.
 */
async function buyerOf(
  tx: DbTransaction,
  { id: paymentId, subscription }: SendableRefund['payment'],
): Promise<Pick<Customer, 'email' | 'customerId'>> {
  const receipt = await tx.receipt.findUnique({ where: { paymentId }, select: { customerId: true } });
  if (!receipt || receipt.customerId === subscription.customerId) return subscription.customer;
  return tx.customer.findUniqueOrThrow({ where: { id: receipt.customerId } });
}
