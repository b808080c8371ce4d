const WHOLE_BPS = 10_000n;

/** The price after a discount, rounded down to whole base units; at least 0. */
export function discountedPrice(
  price: bigint,
  {
    percentBps,
    amount,
  }: {
    /** Part of the price in hundredths of a percent; null for a fixed amount. */
    readonly percentBps: number | null;
    /** Fixed amount in base units; null for a part of the price. */
    readonly amount: bigint | null;
  },
): bigint {
  if (percentBps !== null) return (price * (WHOLE_BPS - BigInt(percentBps))) / WHOLE_BPS;
  const reduced = price - (amount ?? 0n);
  return reduced > 0n ? reduced : 0n;
}
