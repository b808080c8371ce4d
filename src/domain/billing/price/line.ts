/** What a line is for. Lines keep the order of their sources: `price-payment.ts`. */
export const LINE_KINDS = [
  /** The plan's price for one period. */
  'FLAT',
  /** What a discount takes off; below 0. */
  'DISCOUNT',
  /** An amount that the plan's owner collected although no period owed it. */
  'EXTRA',
  /** What does not fit into the limit of the chain's period; below 0. */
  'OVER_LIMIT',
] as const;

/** One line of a payment. Lines are stored with their payment and never change. */
export interface Line {
  /** One of `LINE_KINDS`, or a kind of a later release that runs beside this one. */
  readonly kind: string;
  /** What the customer reads, such as the plan's name at that time. */
  readonly text: string;
  /** In base units of the plan's mint; below 0 for a reduction. */
  readonly amount: bigint;
}

/** A line in the row. The database has checked that its amount is a number. */
type StoredLine = Omit<Line, 'amount'> & { readonly amount: string };

/** The lines of a row; empty for a payment of a release that stored none. */
export function linesOf({ lines }: { readonly lines: unknown }): readonly Line[] {
  if (lines === null) return [];
  return (lines as readonly StoredLine[]).map((line) => ({ ...line, amount: BigInt(line.amount) }));
}

/** The sum of lines, in base units. */
export function totalOf(lines: readonly Pick<Line, 'amount'>[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}
