import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { SubscriptionStatus } from '../../generated/prisma/client.ts';
import { type Life, matchLives } from './lives.ts';
import { COLLECTING } from './status.ts';

/** A life of an address that was not seen to be closed. */
export interface KnownLife extends Life {
  readonly status: SubscriptionStatus;
  readonly intervalSeconds: number;
}

/**
 * Whether there is nothing in an account for `observeSubscription` to act on: it is the one life that we know, is being
 * collected from, and is not cancelled. That is what nearly every update says: a pull changes the amount and the period.
 * `lives` newest first.
 */
export function isAsKnown(
  lives: readonly KnownLife[],
  { periodStart, expiresAt }: Pick<SubscriptionAccount, 'periodStart' | 'expiresAt'>,
): boolean {
  const [newest] = lives;
  if (!newest || expiresAt !== 0n) return false;
  const { current, over } = matchLives(lives, periodStart, BigInt(newest.intervalSeconds));
  return current !== undefined && over.length === 0 && COLLECTING.includes(current.status);
}
