import type { Address } from '@solana/kit';
import type { SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import type { Db } from '../../../db/db.ts';
import type { Environment, Plan, Subscription } from '../../../generated/prisma/client.ts';
import {
  type CreatedSubscription,
  type MatchedSubscriptions,
  matchSubscriptions,
} from './match-subscriptions.ts';

type KnownSubscription = CreatedSubscription & Pick<Subscription, 'id' | 'status'>;

/** The known subscription at an address to which its account belongs. */
export async function currentSubscription(
  db: Pick<Db, 'subscription'>,
  environment: Environment,
  address: Address,
  account: SubscriptionAccount,
  { periodSeconds }: Pick<Plan, 'periodSeconds'>,
): Promise<MatchedSubscriptions<KnownSubscription>> {
  const subscriptions = await db.subscription.findMany({
    where: { environment, address, closedAt: null },
    orderBy: { chainCreatedAt: 'desc' },
    select: { id: true, status: true, chainCreatedAt: true },
  });
  return matchSubscriptions(subscriptions, account, BigInt(periodSeconds));
}
