const MONTH_SECONDS = 2_592_000n;

/**
 * The monthly recurring revenue of a price, in base units, rounded down. A month has 30 days. The
 * database computes it in the same way for a new row.
 */
export function monthlyRevenue(price: bigint, intervalSeconds: number): bigint {
  return (price * MONTH_SECONDS) / BigInt(intervalSeconds);
}
