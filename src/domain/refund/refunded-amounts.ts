import type { Payment, Refund } from '../../generated/prisma/client.ts';
import { COUNTED_STATUSES } from './refund-status.ts';

type Counted = Pick<Refund, 'status' | 'amount'>;

const sumOf = (refunds: readonly Counted[]) => refunds.reduce((sum, { amount }) => sum + amount, 0n);

/** The sum of a payment's refunds that have succeeded. */
export function refundedAmount(refunds: readonly Counted[]): bigint {
  return sumOf(refunds.filter(({ status }) => status === 'SUCCEEDED'));
}

/** The sum of a payment's refunds that may still be sent, or are not final yet. */
export function pendingRefundAmount(refunds: readonly Counted[]): bigint {
  return sumOf(refunds.filter(({ status }) => status === 'PENDING'));
}

/**
 * The maximum amount of a new refund of a payment: the payment less its pending and succeeded
 * refunds. 0 for a payment that is not final, because the cluster may still roll it back.
 */
export function refundableAmount(
  { amount, status, finalized }: Pick<Payment, 'amount' | 'status' | 'finalized'>,
  refunds: readonly Counted[],
): bigint {
  if (status !== 'SUCCEEDED' || !finalized) return 0n;
  const remaining = amount - sumOf(refunds.filter((refund) => COUNTED_STATUSES.includes(refund.status)));
  return remaining > 0n ? remaining : 0n;
}
