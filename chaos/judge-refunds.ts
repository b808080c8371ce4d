// Finds errors in the refunds of one payment: compares what the merchant wanted with the chain, the
// webhooks that its server received, the API and the receipt.
import type { TokenTransfer } from '../tools/chain-transfers.ts';
import type { Finding } from './judge.ts';
import type { ReportedWebhook } from './merchant-server.ts';

/** A refund that the merchant has sent, with its evidence. */
export interface RefundEvidence {
  readonly id: string;
  readonly amount: bigint;
  readonly mayBeSentTwice: boolean;
  /** Transfers from the merchant's account to the customer's that name the reference. */
  readonly sent: readonly TokenTransfer[];
}

export interface RefundedPayment {
  readonly refunds: readonly RefundEvidence[];
  readonly booked: readonly {
    readonly id: string;
    readonly status: string;
    readonly amount: string;
    readonly signature: string | null;
  }[];
  readonly refundedAmount: bigint;
  /** What the receipt's file says was refunded. */
  readonly onReceipt: bigint;
  /** `payment.refunded`, in the order of arrival. */
  readonly webhooks: readonly ReportedWebhook[];
}

/** All errors that were found. */
export function judgeRefunds(payment: RefundedPayment): Finding[] {
  const { refunds, booked, refundedAmount, onReceipt, webhooks } = payment;
  const findings = refunds.flatMap((refund) => judgeRefund(refund, payment));
  const complain = (what: string, detail: string) => findings.push({ what, detail });
  for (const { id } of booked) {
    if (!refunds.some((refund) => refund.id === id)) complain('a refund that was not requested', id);
  }
  const sum = refunds.reduce((total, { amount }) => total + amount, 0n);
  if (refundedAmount !== sum) complain('refunded amount', `is ${refundedAmount}, should be ${sum}`);
  if (onReceipt !== sum) complain('receipt', `says that ${onReceipt} was refunded, should be ${sum}`);
  let reported = 0n;
  for (const { id, data } of webhooks) {
    reported += BigInt(data.amount ?? 0);
    if (data.refundedAmount !== String(reported)) {
      complain('reported', `webhook ${id} has ${data.refundedAmount} refunded, should be ${reported}`);
    }
  }
  return findings;
}

function judgeRefund(
  { id, amount, mayBeSentTwice, sent }: RefundEvidence,
  { booked, webhooks }: RefundedPayment,
): Finding[] {
  const findings: Finding[] = [];
  const complain = (what: string, detail: string) =>
    findings.push({ what, detail: `refund ${id}: ${detail}` });
  const signatures = sent.map(({ signature }) => signature);
  if (sent.length === 0) complain('lost refund', 'nothing on chain');
  if (sent.length > (mayBeSentTwice ? 2 : 1)) complain('double refund', signatures.join(' '));
  for (const each of sent.filter((transfer) => transfer.amount !== amount)) {
    complain('amount', `${each.amount} in ${each.signature}, should be ${amount}`);
  }
  const rows = booked.filter((row) => row.id === id);
  const [row] = rows;
  const isBooked = (signature: string | null | undefined) => signatures.includes(signature ?? '');
  if (
    rows.length !== 1 ||
    row?.status !== 'SUCCEEDED' ||
    row.amount !== String(amount) ||
    !isBooked(row.signature)
  ) {
    complain('books', `${JSON.stringify(rows)}, should be ${amount} in ${signatures.join(' or ')}`);
  }
  const reported = webhooks.filter(({ data }) => data.refundId === id);
  const [first] = reported;
  if (
    reported.length !== 1 ||
    first?.data.amount !== String(amount) ||
    first.data.signature !== row?.signature
  ) {
    complain('reported', `${JSON.stringify(reported)}, should be one of ${amount} in ${row?.signature}`);
  }
  return findings;
}
