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
 * What a new refund of a payment may have at most: what pending and succeeded ones leave. 0 for a
 * payment that is not final, because the cluster may still take it back.
 */
export function refundableAmount(
  { amount, status, finalized }: Pick<Payment, 'amount' | 'status' | 'finalized'>,
  refunds: readonly Counted[],
): bigint {
  if (status !== 'SUCCEEDED' || !finalized) return 0n;
  const left = amount - sumOf(refunds.filter((each) => COUNTED_STATUSES.includes(each.status)));
  return left > 0n ? left : 0n;
}
