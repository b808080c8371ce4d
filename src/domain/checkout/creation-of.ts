import type { Address } from '@solana/kit';
import type { AppContext } from '../../app.ts';
import type { SubscriptionAccount } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import { type ChainTransaction, readTransaction, signaturesFor } from '../../chain/chain-transaction.ts';
import { decodeEvents } from '../../chain/events.ts';
import type { Environment, Plan } from '../../generated/prisma/client.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { currentLife } from '../subscription/current-life.ts';
import { isOfLife } from '../subscription/lives.ts';

export interface Creation {
  /** The time that the chain gave it. */
  readonly createdAt: bigint;
  readonly signature: string;
  readonly transaction: ChainTransaction;
}

/** When the chain made this life of the address: as we know it, or by its transaction; undefined where that is not found. */
export async function creationTimeOf(
  ctx: AppContext,
  environment: Environment,
  plan: Plan,
  address: Address,
  account: SubscriptionAccount,
): Promise<bigint | undefined> {
  const { current } = await currentLife(ctx.db, environment, address, account, plan);
  if (current) return current.chainCreatedAt;
  return (await creationOf(chainOf(ctx, environment), plan, address, account))?.createdAt;
}

/** The transaction that made this life of the address; undefined where the node does not have it (yet). */
export async function creationOf(
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
    if (isOfLife(created.createdAt, periodStart, BigInt(intervalSeconds)))
      return { createdAt: created.createdAt, signature, transaction };
  }
  return undefined;
}
