import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import {
  type ChainTransaction,
  readTransaction,
  signaturesFor,
} from '../../chain/transactions/chain-transaction.ts';
import { decodeEvents } from '../../chain/transactions/events.ts';
import type { Environment, Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../access/chain-of.ts';
import { currentSubscription } from '../billing/lifecycle/current-subscription.ts';
import { isOfSubscription } from '../billing/lifecycle/match-subscriptions.ts';

export interface Creation {
  /** Creation time on chain. */
  readonly createdAt: bigint;
  readonly signature: string;
  readonly transaction: ChainTransaction;
}

/**
 * Creation time of the current subscription account, from the database or from its transaction;
 * undefined if that is not found.
 */
export async function creationTimeOf(
  ctx: AppContext,
  environment: Environment,
  plan: Plan,
  address: Address,
  account: SubscriptionAccount,
): Promise<bigint | undefined> {
  const { current } = await currentSubscription(ctx.db, environment, address, account, plan);
  if (current) return current.chainCreatedAt;
  return (await findCreation(chainOf(ctx, environment), plan, address, account))?.createdAt;
}

/**
 * The transaction that created the current subscription account; undefined if the node does not
 * have it.
 */
export async function findCreation(
  chain: Chain,
  { intervalSeconds }: Plan,
  address: Address,
  { plan, subscriber, periodStart }: SubscriptionAccount,
): Promise<Creation | undefined> {
  for (const { signature, failed } of await signaturesFor(chain, address)) {
    const transaction = failed ? undefined : await readTransaction(chain, signature);
    if (!transaction) continue;
    const created = decodeEvents(transaction).find(
      (event) => event.type === 'created' && event.plan === plan && event.subscriber === subscriber,
    );
    if (created?.type !== 'created') continue;
    if (isOfSubscription(created.createdAt, periodStart, BigInt(intervalSeconds)))
      return { createdAt: created.createdAt, signature, transaction };
  }
  return undefined;
}
