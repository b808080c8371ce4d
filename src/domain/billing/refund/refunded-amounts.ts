import type { Payment, Refund, RefundExcess } from '../../../generated/prisma/client.ts';
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

type WithExcess = { readonly excess: readonly Pick<RefundExcess, 'amount'>[] };

/** The sum that was sent beyond a payment's refunds, because one of them was sent again. */
export function excessAmount(refunds: readonly WithExcess[]): bigint {
  return refunds.flatMap(({ excess }) => excess).reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * The maximum amount of a new refund of a payment: what was paid less its pending and succeeded
 * refunds, and less what was sent beyond them. 0 for a payment that is not final, because the
 * cluster may still roll it back.
 */
export function refundableAmount(
  { paidAmount, status, finalized }: Pick<Payment, 'paidAmount' | 'status' | 'finalized'>,
  refunds: readonly (Counted & WithExcess)[],
): bigint {
  if (status !== 'SUCCEEDED' || !finalized) return 0n;
  const counted = sumOf(refunds.filter((refund) => COUNTED_STATUSES.includes(refund.status)));
  const remaining = paidAmount - counted - excessAmount(refunds);
  return remaining > 0n ? remaining : 0n;
}
