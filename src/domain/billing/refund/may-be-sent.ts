import { LANDING_SECONDS } from '../schedule/period.ts';
import type { SendableRefund } from './find-refund.ts';
import { excessAmount, refundedAmount } from './refunded-amounts.ts';

/**
 * Whether a transfer of the refund would be right: it is pending, none was seen, and the other
 * refunds of the payment leave enough of it. A cancelled one may have been sent nevertheless, so
 * they are added up again.
 */
export function mayBeSent(
  { id, status, expiresAt, sentSignature, amount, payment }: SendableRefund,
  now: Date,
): boolean {
  if (status !== 'PENDING' || expiresAt <= now || sentSignature !== null) return false;
  const others = payment.refunds.filter((other) => other.id !== id);
  return refundedAmount(others) + excessAmount(others) + amount <= payment.paidAmount;
}

/**
 * Whether a pending refund has a transfer that was seen and is not final yet, or a transaction that
 * may still land. Meanwhile it is not offered for sending, so that it is not sent twice.
 */
export function mayBeInFlight(
  {
    status,
    createdAt,
    requestedAt,
    sentSignature,
  }: Pick<SendableRefund, 'status' | 'createdAt' | 'requestedAt' | 'sentSignature'>,
  now: Date,
): boolean {
  if (status !== 'PENDING') return false;
  if (sentSignature !== null) return true;
  const isRequested = requestedAt > createdAt;
  return isRequested && now.getTime() - requestedAt.getTime() < Number(LANDING_SECONDS) * 1000;
}
