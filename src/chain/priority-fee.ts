import type { Address } from '@solana/kit';
import type { Chain } from './chain.ts';

/** What one `getRecentPrioritizationFees` may ask for. */
const MOST_ADDRESSES = 128;
/** Of the recent blocks so many in a hundred would have taken us at the price. */
const PERCENTILE = 75;

/**
 * What to pay for a place in a block, in micro-lamports a compute unit: what most recent blocks would have taken for
 * writing these accounts, and never more than the environment's `MAX_PRIORITY_FEE`.
 */
export async function priorityFee(
  { rpc, config }: Pick<Chain, 'rpc' | 'config'>,
  writable: readonly Address[],
): Promise<bigint> {
  if (config.maxPriorityFee === 0n) return 0n;
  const asked = [...new Set(writable)].slice(0, MOST_ADDRESSES);
  const recent = await rpc.getRecentPrioritizationFees(asked).send();
  const fees = recent.map(({ prioritizationFee }) => BigInt(prioritizationFee));
  return cappedFee(fees, config.maxPriorityFee);
}

/** The rule. */
export function cappedFee(recent: readonly bigint[], most: bigint): bigint {
  const sorted = [...recent].sort((a, b) => Number(a - b));
  const fee = sorted[Math.ceil((sorted.length * PERCENTILE) / 100) - 1] ?? 0n;
  return fee < most ? fee : most;
}
