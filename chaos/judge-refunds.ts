// Finds errors in the refunds of one payment: compares the refunds that the merchant sent with the
// chain, the webhooks that its server received, the API and the receipt.
import type { TokenTransfer } from '../tools/chain-transfers.ts';
import type { Finding } from './judge.ts';
import type { AcceptedWebhook } from './merchant-server.ts';

/** A refund that the merchant has sent, with its transfers on chain. */
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
  /** The refunded amount in the receipt's file. */
  readonly onReceipt: bigint;
  /** The `payment.refunded` webhooks, in the order of arrival. */
  readonly webhooks: readonly AcceptedWebhook[];
}

/** Returns all errors. */
export function judgeRefunds(payment: RefundedPayment): Finding[] {
  const { refunds, booked, refundedAmount, onReceipt, webhooks } = payment;
  const findings = refunds.flatMap((refund) => judgeRefund(refund, payment));
  const report = (what: string, detail: string) => findings.push({ what, detail });
  for (const { id } of booked) {
    if (!refunds.some((refund) => refund.id === id)) report('a refund that was not requested', id);
  }
  const sum = refunds.reduce((total, { amount }) => total + amount, 0n);
  if (refundedAmount !== sum) report('refunded amount', `is ${refundedAmount}, should be ${sum}`);
  if (onReceipt !== sum) report('receipt', `has ${onReceipt} refunded, should be ${sum}`);
  let reported = 0n;
  for (const { id, data } of webhooks) {
    reported += BigInt(data.amount ?? 0);
    if (data.refundedAmount !== String(reported)) {
      report('reported', `webhook ${id} has ${data.refundedAmount} refunded, should be ${reported}`);
    }
  }
  return findings;
}

function judgeRefund(
  { id, amount, mayBeSentTwice, sent }: RefundEvidence,
  { booked, webhooks }: RefundedPayment,
): Finding[] {
  const findings: Finding[] = [];
  const report = (what: string, detail: string) => findings.push({ what, detail: `refund ${id}: ${detail}` });
  const signatures = sent.map(({ signature }) => signature);
  if (sent.length === 0) report('missing refund', 'no transfer on chain');
  if (sent.length > (mayBeSentTwice ? 2 : 1)) report('double refund', signatures.join(' '));
  for (const transfer of sent.filter((candidate) => candidate.amount !== amount)) {
    report('amount', `${transfer.amount} in ${transfer.signature}, should be ${amount}`);
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
    report('books', `${JSON.stringify(rows)}, should be ${amount} in ${signatures.join(' or ')}`);
  }
  const reported = webhooks.filter(({ data }) => data.refundId === id);
  const [first] = reported;
  if (
    reported.length !== 1 ||
    first?.data.amount !== String(amount) ||
    first.data.signature !== row?.signature
  ) {
    report('reported', `${JSON.stringify(reported)}, should be one of ${amount} in ${row?.signature}`);
  }
  return findings;
}
