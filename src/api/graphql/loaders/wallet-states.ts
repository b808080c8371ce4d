import {
  type PaidSubscription,
  readWalletStates,
  type WalletState,
} from '../../../domain/chain-state/wallet-state/read-wallet-states.ts';
import { BillingError } from '../../../errors.ts';
import { WALLET_READS } from '../../rate-limit/rate-limit.ts';
import { type GraphqlContext, scopeOf } from '../context.ts';
import { batchLoader } from './batch-loader.ts';

/** A state that was read within this time is not read again. */
const MAX_AGE_MS = 5_000;

/** Loads the state of a subscription's wallet. */
export const loadWalletState = batchLoader<PaidSubscription, WalletState | null>((context, subscriptions) => {
  const beforeRead = (count: number) => countWalletReads(context, count);
  const { environment } = scopeOf(context);
  return readWalletStates(context.app, environment, subscriptions, { maxAgeMs: MAX_AGE_MS, beforeRead });
});

/** @throws BillingError rate_limit_exceeded if the caller reads too many wallets */
export async function countWalletReads(
  { limits, countsAgainst, onPartRefused }: GraphqlContext,
  count: number,
): Promise<void> {
  const verdict = await limits.take(WALLET_READS, countsAgainst, count);
  if (verdict.allowed) return;
  onPartRefused?.(verdict);
  const { policy, resetInMs } = verdict;
  throw new BillingError(
    'rate_limit_exceeded',
    `At most ${policy.limit} wallets a minute are read from the chain: try again in ${Math.ceil(resetInMs / 1000)} s.`,
  );
}
