import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import type { SubscriptionStatus } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../book/status.ts';
import { type CreatedSubscription, matchSubscriptions } from './match-subscriptions.ts';

/** A subscription at an address that was not seen to be closed. */
export interface KnownSubscription extends CreatedSubscription {
  readonly status: SubscriptionStatus;
  readonly periodSeconds: number;
}

/**
 * Whether an account needs no action of `observeSubscription`: it belongs to the one known
 * subscription, which is collected and not cancelled. This holds for nearly every update, because
 * a pull changes only the amount and the period. `subscriptions` is newest first.
 */
export function isUnchanged(
  subscriptions: readonly KnownSubscription[],
  account: Pick<SubscriptionAccount, 'periodStart' | 'pulled' | 'expiresAt'>,
): boolean {
  const [newest] = subscriptions;
  if (!newest || account.expiresAt !== 0n) return false;
  const { current, over } = matchSubscriptions(subscriptions, account, BigInt(newest.periodSeconds));
  return current !== undefined && over.length === 0 && COLLECTING.includes(current.status);
}
