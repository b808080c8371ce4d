import type { AppContext } from '../../../app.ts';
import { decodeSubscription, type SubscriptionAccount } from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import type { ChainAccount } from '../../../chain/accounts/read-accounts.ts';
import { unixSeconds } from '../../../chain/chain-time.ts';
import type { Environment, Plan } from '../../../generated/prisma/client.ts';
import { COLLECTING } from '../../billing/book/status.ts';
import { currentSubscription } from '../../billing/lifecycle/current-subscription.ts';
import { lastChanges } from '../../billing/read/last-reason.ts';

/** The options that a wallet has with a plan. */
export type WalletEligibility =
  /** No subscription account exists: it can subscribe. */
  | { readonly kind: 'free' }
  /** The cancellation has taken effect: the account is closed and created again. */
  | { readonly kind: 'over'; readonly account: SubscriptionAccount }
  /**
   * The account exists and is not collected: it is reactivated. `subscriptionId` and `after`, the id
   * of its latest change, are undefined if dues does not know the subscription.
   */
  | {
      readonly kind: 'idle';
      readonly account: SubscriptionAccount;
      readonly subscriptionId: string | undefined;
      readonly after: string | undefined;
    }
  | { readonly kind: 'subscribed' };

/**
 * @param found the account of the subscription. It is read at the known slot: with a node that is behind, the wallet
 *   could subscribe twice, or reactivate a subscription that has ended on chain.
 */
export async function readWalletEligibility(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  environment: Environment,
  plan: Plan,
  found: ChainAccount | undefined,
): Promise<WalletEligibility> {
  if (found?.owner !== PROGRAM) return { kind: 'free' };
  const account = decodeSubscription(found.data);
  if (account.expiresAt !== 0n && account.expiresAt <= unixSeconds(ctx.clock.now())) {
    return { kind: 'over', account };
  }
  const { current, isNew } = await currentSubscription(ctx.db, environment, found.address, account, plan);
  const isIdle = current ? !COLLECTING.includes(current.status) : isNew;
  if (!isIdle) return { kind: 'subscribed' };
  const [last] = current ? await lastChanges(ctx.db, current.id, 1) : [];
  return { kind: 'idle', account, subscriptionId: current?.id, after: last?.id };
}
