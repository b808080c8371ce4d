import type { Random } from '../tools/random.ts';
import type { PartName } from './parts.ts';
import type { RunSize } from './run-size.ts';

/** How a merchant refunds a payment. */
export const REFUND_KINDS = [
  /** With the transaction that dues prepares. */
  'whole',
  'in two parts',
  /** With a wallet that opens the Solana Pay link. */
  'by link',
  /** With a second transaction, after a first one was signed and never sent. */
  'lost at first',
  /**
   * With the transaction and the link at the same time. The books have one, the audit shows the
   * other.
   */
  'sent twice',
  /** With the link, after the refund was cancelled in dues. */
  'cancelled, and sent nevertheless',
  /** While strangers send tokens to the customer with the same reference, before and after. */
  'among strangers',
] as const;

export type RefundKind = (typeof REFUND_KINDS)[number];

/** The refund of a customer's first payment. */
export interface RefundOrder {
  readonly kind: RefundKind;
  /** Index in the cast. */
  readonly customer: number;
  readonly round: number;
  /** Whether the refund is sent while payments fall due, or while customers come back. */
  readonly window: 'due' | 'after';
}

/** Parts whose result does not depend on how many tokens the customer has. */
const REFUNDABLE_PARTS: readonly PartName[] = [
  'pays',
  'cancels',
  'cancels and resumes',
  'cancelled by the merchant',
  'the merchant collects too',
];

/**
 * Chooses the refunds among customers with suitable parts; undefined is a customer without refunds. The first round has none, because there
 * are no payments before it.
 */
export function scheduleRefunds(
  random: Random,
  parts: readonly (PartName | undefined)[],
  size: RunSize,
): RefundOrder[] {
  const eligible = random.shuffled(
    parts.flatMap((part, customer) => (part && REFUNDABLE_PARTS.includes(part) ? [customer] : [])),
  );
  const kinds = REFUND_KINDS.flatMap((kind) => Array<RefundKind>(size.refundsPerKind).fill(kind));
  return kinds.map((kind, index) => ({
    kind,
    customer: eligible[index] as number,
    round: random.between(1, size.rounds - 1),
    window: random.below(3) === 0 ? 'after' : 'due',
  }));
}
