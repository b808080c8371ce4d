import type { Line } from './line.ts';

/** What a discount takes off one payment: a part of the price, or a fixed amount. */
export interface DiscountValue {
  /** In hundredths of a percent, from 1 to 10,000; null for a fixed amount. */
  readonly percentBps: number | null;
  /** In base units of the plan's mint; null for a part of the price. */
  readonly amount: bigint | null;
}

/** What the lines of one payment follow from. */
export interface PriceFacts {
  readonly planName: string;
  /** The plan's price for one period, in base units. */
  readonly price: bigint;
  /** The discount that applies to the payment, with the name that the customer reads. */
  readonly discount?: (DiscountValue & { readonly name: string }) | null | undefined;
  /** What the program still lets through in the chain's period of the payment, in base units. */
  readonly limitLeft: bigint;
}

/**
 * Returns the lines that a source adds to a payment.
 *
 * @param before the lines of the sources before it
 */
export type LineSource<Facts = PriceFacts> = (facts: Facts, before: readonly Line[]) => readonly Line[];
