import type { AppContext } from '../../app.ts';
import { dateOf } from '../../chain/chain-time.ts';
import type { ChainTransaction } from '../../chain/rpc/chain-transaction.ts';
import type { RefundTransfer } from '../../chain/transactions/refund-transactions.ts';
import type { DbTransaction } from '../../db/db.ts';
import { isUniqueViolation } from '../../db/is-unique-violation.ts';
import type { Customer } from '../../generated/prisma/client.ts';
import { inTransaction } from '../../jobs/in-transaction.ts';
import { metadataOf } from '../billing/schedule/billable.ts';
import { publishPayments } from '../billing/settle/publish-payments.ts';
import { recordEvent } from '../event/record-event.ts';
import type { SendableRefund } from './find-refund.ts';
import { PAYABLE } from './refund-status.ts';
import { refundedAmount } from './refunded-amounts.ts';

/** A transfer that pays a refund, in a final transaction. */
export interface FinalTransfer extends RefundTransfer {
  readonly transaction: Pick<ChainTransaction, 'signature' | 'slot' | 'blockTime'>;
}

/**
 * Settles a refund by its transfer: status and event in one database transaction, exactly once.
 * Returns false if the transfer already pays another refund, and true otherwise.
 */
export async function settleRefund(
  ctx: AppContext,
  refund: SendableRefund,
  { index, transaction }: FinalTransfer,
): Promise<boolean> {
  const { signature, slot, blockTime } = transaction;
  const refundedAt = blockTime === null ? ctx.clock.now() : dateOf(blockTime);
  const { id, merchantId, environment, payment } = refund;
  const { id: paymentId, subscriptionId } = payment;
  try {
    await inTransaction(ctx, async (tx) => {
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
          nextCheckAt: null,
          checkedTo: null,
          checkingFrom: null,
          checkingTo: null,
        },
      });
      if (count > 0) await recordRefunded(tx, refund, signature, ctx.clock.now());
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  await publishPayments(ctx, [{ merchantId, environment, subscriptionId, paymentId }]);
  return true;
}

async function recordRefunded(
  tx: DbTransaction,
  { id: refundId, merchantId, environment, amount, reason, payment }: SendableRefund,
  signature: string,
  at: Date,
): Promise<void> {
  const { id: paymentId, subscription } = payment;
  const { email, customerId } = await buyerOf(tx, payment);
  const { walletAddress, plan } = subscription;
  const refunds = await tx.refund.findMany({ where: { paymentId }, select: { status: true, amount: true } });
  await recordEvent(tx, {
    merchantId,
    environment,
    type: 'payment.refunded',
    subscriptionId: subscription.id,
    data: {
      subscriptionId: subscription.address,
      planId: plan.planId,
      customer: { email, customerId, walletAddress },
      paymentId,
      refundId,
      signature,
      amount: String(amount),
      refundedAmount: String(refundedAmount(refunds)),
      paymentAmount: String(payment.amount),
      reason,
      metadata: metadataOf(subscription),
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
