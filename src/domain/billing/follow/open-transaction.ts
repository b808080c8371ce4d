/** A transaction in flight. */
export interface OpenTransaction {
  readonly id: string;
  readonly signature: string;
  readonly lastValidBlockHeight: bigint;
  readonly createdAt: Date;
  /** How many payments it collects. */
  readonly pulls: number;
}
