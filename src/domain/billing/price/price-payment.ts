import type { Line } from './line.ts';
import type { LineSource, PriceFacts } from './line-source.ts';
import { discountSource } from './sources/discount.ts';
import { overLimit } from './sources/over-limit.ts';
import { planPrice } from './sources/plan-price.ts';

/** All sources, in the order of their lines. Each is pure. The cut at the limit comes last. */
const SOURCES: readonly LineSource[] = [planPrice, discountSource, overLimit];

/** The lines with a further one for what does not fit into `limitLeft`, if there is any. */
export function cutAtLimit(lines: readonly Line[], limitLeft: bigint): readonly Line[] {
  return [...lines, ...overLimit({ limitLeft }, lines)];
}

/**
 * The lines of a period's payment. A preview and a charge are priced by this function from the same
 * facts, so they are equal. Their sum is at least 0 and at most `limitLeft`; nothing is collected if
 * it is 0.
 */
export function pricePayment(facts: PriceFacts): readonly Line[] {
  const lines: Line[] = [];
  for (const source of SOURCES) lines.push(...source(facts, lines));
  return lines;
}
