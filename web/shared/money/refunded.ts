/** What was paid, or what is owed while it is not paid. */
export function shownAmount(payment: {
  readonly amount: string;
  readonly paidAmount: string | null;
}): string {
  return payment.paidAmount ?? payment.amount;
}

/** How much of a payment was refunded; undefined without a final refund. */
export function refundedPart(amount: string, refundedAmount: string): 'ALL' | 'PART' | undefined {
  const refunded = BigInt(refundedAmount);
  if (refunded === 0n) return undefined;
  return refunded >= BigInt(amount) ? 'ALL' : 'PART';
}

/** What is left of a payment after its refunds, in base units. */
export function netAmount(amount: string, refundedAmount: string): string {
  const net = BigInt(amount) - BigInt(refundedAmount);
  return String(net > 0n ? net : 0n);
}
