import type { Line } from './line.ts';

/** What the lines of one payment follow from. */
export interface PriceFacts {
  readonly planName: string;
  /** The plan's price for one period, in base units. */
  readonly price: bigint;
  /** What the program still lets through in the chain's period of the payment, in base units. */
  readonly limitLeft: bigint;
}

/**
 * Returns the lines that a source adds to a payment.
 *
 * @param before the lines of the sources before it
 */
export type LineSource<Facts = PriceFacts> = (facts: Facts, before: readonly Line[]) => readonly Line[];
