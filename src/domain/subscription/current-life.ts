import type { Address } from '@solana/kit';
import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { Db } from '../../db.ts';
import type { Environment, Plan, Subscription } from '../../generated/prisma/client.ts';
import { type Life, type MatchedLives, matchLives } from './lives.ts';

type KnownLife = Life & Pick<Subscription, 'id' | 'status'>;

/** Which of the lives of an address that we know its account is. */
export async function currentLife(
  db: Pick<Db, 'subscription'>,
  environment: Environment,
  address: Address,
  { periodStart }: SubscriptionAccount,
  { intervalSeconds }: Pick<Plan, 'intervalSeconds'>,
): Promise<MatchedLives<KnownLife>> {
  const lives = await db.subscription.findMany({
    where: { environment, address, closedAt: null },
    orderBy: { chainCreatedAt: 'desc' },
    select: { id: true, status: true, chainCreatedAt: true },
  });
  return matchLives(lives, periodStart, BigInt(intervalSeconds));
}
