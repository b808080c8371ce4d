// Rents cost the operator's SOL, so they are spent only where money moves. Anyone can create a token
// and own any amount of it, and anyone can move one base unit of USDC between wallets.
import type { ClusterConfig } from '../../../config/cluster-config.ts';

type Tokens = Pick<ClusterConfig, 'defaultMint' | 'assets'>;

/** Whether the operator names the token: as the default, or among the configured assets. */
export function isConfiguredToken({ defaultMint, assets = [] }: Tokens, mint: string): boolean {
  return mint === defaultMint || assets.some((asset) => asset.mint === mint);
}

/** The lowest amount that is worth rents, in base units: one whole token. */
export function minWorthRent(decimals: number): bigint {
  return 10n ** BigInt(decimals);
}

/** The facts of a final payment. */
export interface FinalPayment {
  readonly mint: string;
  readonly decimals: number | null;
  /** In base units. */
  readonly amount: bigint;
  /** Counted within its subscription, from 1. */
  readonly paymentNumber: number;
}

/**
 * Whether a final payment counts as a customer of the merchant: the first one of a subscription,
 * of at least one whole token that the operator names.
 */
export function countsAsCustomer(
  tokens: Tokens,
  { mint, decimals, amount, paymentNumber }: FinalPayment,
): boolean {
  if (paymentNumber !== 1 || decimals === null) return false;
  return isConfiguredToken(tokens, mint) && amount >= minWorthRent(decimals);
}
