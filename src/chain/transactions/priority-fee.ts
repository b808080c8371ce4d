import type { Address } from '@solana/kit';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Chain } from '../chain.ts';

/** Maximum addresses per `getRecentPrioritizationFees` call. */
const MAX_ADDRESSES = 128;
/** The percentage of recent blocks that would have accepted the fee. */
const PERCENTILE = 75;
/** The fee is multiplied by this after each expired transaction. */
const RAISE_FACTOR = 4n;

type Limits = Pick<ClusterConfig, 'minPriorityFee' | 'maxPriorityFee'>;

/**
 * The priority fee, in micro-lamports per compute unit, that most recent blocks would have accepted
 * for writing these accounts. It is often zero, because blocks report their lowest fee, so
 * `priorityFeeAfter` computes the fee that dues pays.
 */
export async function readRecentFee(
  { rpc, config }: Pick<Chain, 'rpc' | 'config'>,
  writable: readonly Address[],
): Promise<bigint> {
  if (config.maxPriorityFee === 0n) return 0n;
  const addresses = [...new Set(writable)].slice(0, MAX_ADDRESSES);
  const recent = await rpc.getRecentPrioritizationFees(addresses).send();
  return percentile(recent.map(({ prioritizationFee }) => BigInt(prioritizationFee)));
}

/** The fee that 75 percent of the recent blocks would have accepted. */
export function percentile(recent: readonly bigint[]): bigint {
  const sorted = [...recent].sort((a, b) => Number(a - b));
  return sorted[Math.ceil((sorted.length * PERCENTILE) / 100) - 1] ?? 0n;
}

/**
 * The priority fee for a payment with this number of expired transactions, in micro-lamports per
 * compute unit. It starts at the recent fee, at least `MIN_PRIORITY_FEE`, and rises with each
 * expiry up to `MAX_PRIORITY_FEE`.
 */
export function priorityFeeAfter(expiries: number, recent: bigint, limits: Limits): bigint {
  const { minPriorityFee: min, maxPriorityFee: max } = limits;
  let fee = recent > min ? recent : min;
  if (expiries > 0 && fee === 0n) fee = 1n;
  for (let raises = 0; fee < max; raises++, fee *= RAISE_FACTOR) {
    if (raises === expiries) return fee;
  }
  return max;
}
