import type { Random } from '../tools/random.ts';
import type { PartName } from './parts.ts';
import type { RunSize } from './run-size.ts';

/** How a merchant sends a payment back. */
export const REFUND_KINDS = [
  /** By the transaction that dues prepares. */
  'whole',
  'in two parts',
  /** By a wallet that opens the Solana Pay link. */
  'by link',
  /** A first transaction is signed and never sent. */
  'lost at first',
  /** Both ways at the same time. The books have it once, and the audit shows the rest. */
  'sent twice',
  'cancelled, and sent nevertheless',
  /** Strangers send tokens to the customer with the same reference, before and after. */
  'among strangers',
] as const;

export type RefundKind = (typeof REFUND_KINDS)[number];

/** The refund of a customer's first payment. */
export interface RefundOrder {
  readonly kind: RefundKind;
  /** Index in the cast. */
  readonly customer: number;
  readonly round: number;
  /** Whether it is sent while payments fall due, or while customers come back. */
  readonly window: 'due' | 'after';
}

/** Parts that do not depend on how many tokens the customer has. */
const REFUNDED: readonly PartName[] = [
  'pays',
  'cancels',
  'cancels and resumes',
  'cancelled by the merchant',
  'the merchant collects too',
];

/**
 * Chooses the refunds, by the parts of the cast. The first round has none: nothing was paid before
 * it.
 */
export function planRefunds(random: Random, parts: readonly PartName[], size: RunSize): RefundOrder[] {
  const eligible = random.shuffled(
    parts.flatMap((part, customer) => (REFUNDED.includes(part) ? [customer] : [])),
  );
  const kinds = REFUND_KINDS.flatMap((kind) => Array<RefundKind>(size.refundsOfEachKind).fill(kind));
  return kinds.map((kind, index) => ({
    kind,
    customer: eligible[index] as number,
    round: random.between(1, size.rounds - 1),
    window: random.below(3) === 0 ? 'after' : 'due',
  }));
}
