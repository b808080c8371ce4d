import DataLoader from 'dataloader';
import {
  type PaidSubscription,
  readWalletStates,
  type WalletState,
} from '../../domain/wallet-state/read-wallet-states.ts';
import { BillingError } from '../../errors.ts';
import { WALLET_READS } from '../rate-limit/rate-limit.ts';
import { type GraphqlContext, scopeOf } from './context.ts';

/** How long a state is shown again without another read. */
const MAX_AGE_MS = 5_000;

const loaders = new WeakMap<GraphqlContext, DataLoader<PaidSubscription, WalletState | null, string>>();

/** The state of a subscription's wallet. All of one response are read together. */
export function loadWalletState(
  context: GraphqlContext,
  subscription: PaidSubscription,
): Promise<WalletState | null> {
  const loader = loaders.get(context) ?? createLoader(context);
  loaders.set(context, loader);
  return loader.load(subscription);
}

// Nothing is cached: a live stream sends many responses in one context.
function createLoader(context: GraphqlContext) {
  const beforeRead = (count: number) => countWalletReads(context, count);
  const { environment } = scopeOf(context);
  return new DataLoader<PaidSubscription, WalletState | null, string>(
    (subscriptions) =>
      readWalletStates(context.app, environment, subscriptions, { maxAgeMs: MAX_AGE_MS, beforeRead }),
    { cache: false },
  );
}

/** @throws BillingError rate_limit_exceeded if the caller reads too many wallets */
export async function countWalletReads(
  { limits, countsAgainst }: GraphqlContext,
  count: number,
): Promise<void> {
  const { allowed, policy, resetInMs } = await limits.take(WALLET_READS, countsAgainst, count);
  if (allowed) return;
  throw new BillingError(
    'rate_limit_exceeded',
    `At most ${policy.limit} wallets a minute are read from the chain: try again in ${Math.ceil(resetInMs / 1000)} s.`,
  );
}
